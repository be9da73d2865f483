"""The functions of the recorder's C++ library, found once: torch.ops without its wrappers; what each module calls, by ctypes."""
import ctypes
import functools


class Ops:
    """torch.ops.godwit.NAME as plain functions."""

    def __init__(self, path):
        import torch
        torch.ops.load_library(str(path))
        self._torch = torch
        self._numbers = {}
        quick = ctypes.PyDLL(str(path))  # no release of the interpreter lock: the call takes 20 ns
        self.enter_module = declared(quick.godwit_enter_module, ctypes.c_bool, ctypes.c_int)
        self.leave_module = declared(quick.godwit_leave_module, None)
        self.enter_update = declared(quick.godwit_enter_update, None, ctypes.c_int)
        self.leave_update = declared(quick.godwit_leave_update, None)
        self.dump_enter = declared(quick.godwit_dump_enter, None)
        slow = ctypes.CDLL(str(path))  # may wait for the writer or a device
        self.see = declared(slow.godwit_dump_see, ctypes.c_bool, ctypes.c_bool, ctypes.c_int, ctypes.c_void_p)
        self.see_error = declared(quick.godwit_dump_see_error, ctypes.c_char_p)

    def __getattr__(self, name):
        function = getattr(self._torch.ops.godwit, name).default
        function = getattr(function, "_op", function)
        setattr(self, name, function)
        return function

    def dump_see(self, is_output, label, tensor):
        """A tensor that goes into the module that runs, or comes out of it."""
        if not self.see(is_output, label, tensor._cdata):
            raise RuntimeError(self.see_error().decode("utf-8", "replace"))

    def name(self, text):
        """The number of a text."""
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = self._torch.ops.godwit.number(clean(text))
        return number


def declared(function, result, *arguments):
    function.restype, function.argtypes = result, arguments
    return function


def clean(text):
    """Names may hold anything; the files are UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")


@functools.lru_cache(maxsize=None)
def ops():
    """The library, built when the cache has none for the installed torch."""
    from godwit import build
    return Ops(build.library("record"))

"""The functions of the recorder's C++ library, found once: torch.ops without its wrappers, and two through ctypes."""
import ctypes
import functools


class Ops:
    """torch.ops.godwit.NAME as plain functions."""

    def __init__(self, path):
        import torch
        torch.ops.load_library(str(path))
        self._torch = torch
        self._numbers = {}
        library = ctypes.PyDLL(str(path))  # no release of the interpreter lock: the call takes 20 ns
        self.enter_module = library.godwit_enter_module
        self.enter_module.argtypes, self.enter_module.restype = [ctypes.c_int], None
        self.leave_module = library.godwit_leave_module
        self.leave_module.argtypes, self.leave_module.restype = [], None

    def __getattr__(self, name):
        function = getattr(self._torch.ops.godwit, name).default
        function = getattr(function, "_op", function)
        setattr(self, name, function)
        return function

    def name(self, text):
        """The number of a text."""
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = self._torch.ops.godwit.number(clean(text))
        return number


def clean(text):
    """Names may hold anything; the files are UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")


@functools.lru_cache(maxsize=None)
def ops():
    """The library, built when the cache has none for the installed torch."""
    from godwit import build
    return Ops(build.library("record"))

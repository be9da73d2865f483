"""The frame that trace, dump and baseline fill: opened once, closed once, by the process that opened it."""
import atexit
import os

from godwit import following


class Recorder(following.Listener):
    """Give `open` and `close`; `start` and `stop`, or `with`, call them."""
    running = False

    def open(self):
        """Begins to listen."""

    def close(self, raises):
        """Ends listening and writes what is left; a failure is an exception if `raises`, else a warning."""

    def start(self):
        self.rank, self.ranks = following.rank()
        self.open()
        self.pid, self.running = os.getpid(), True
        atexit.register(self.stop)
        return self

    def stop(self, raises=True):
        """Waits until all is written. In a forked child nothing is: the recording belongs to its parent."""
        if not self.running or self.pid != os.getpid():
            return
        self.running = False
        atexit.unregister(self.stop)
        self.close(raises)

    def __enter__(self):
        return self.start()

    def __exit__(self, kind, *rest):
        self.stop(raises=kind is None)

    def place_in(self, folder):
        """The folder of this rank."""
        return folder / f"rank{self.rank}"

"""python -m godwit: becomes the program that this package carries."""
import os
import sys

from godwit import program

path = program()
os.execv(path, [str(path), *sys.argv[1:]])

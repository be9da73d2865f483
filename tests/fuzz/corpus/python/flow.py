try:
  import a.b as c
except ImportError:
  c = None
while c:
  with open(c) as d, e as (f, g):
    global h
    h = lambda *a, **k: (yield)
  else:
    return a, *(b for b in c)

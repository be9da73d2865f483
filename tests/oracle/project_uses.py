#!/usr/bin/env python3
"""Compares the uses that Godwit finds with what CPython's own parser and symbol tables say.

    tests/oracle/project_uses.py BUILD/oracle/project_uses FOLDER ...

The oracle looks at names that a file binds by import at module level and nowhere else, in scopes where
symtable says that the name is global. For each such name that is read it expects a use at that place whose
name is the imported one, or the dotted chain that follows it, or a beginning of that chain.
Imports that may lie inside the project are left out: following them is not CPython's business.
"""
import ast
import pathlib
import subprocess
import symtable
import sys
import warnings


def module_imports(tree):
    """Name -> target of imports anywhere at module level; names bound in another way are dropped."""
    targets = {}
    dropped = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.split(".")[0]
                targets.setdefault(name, set()).add(alias.name if alias.asname else name)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if node.level:
                    dropped.add(alias.asname or alias.name)
                elif alias.name != "*":
                    targets.setdefault(alias.asname or alias.name, set()).add(f"{node.module}.{alias.name}")
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            dropped.add(node.name)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            dropped.add(node.id)
        elif isinstance(node, ast.arg):
            dropped.add(node.arg)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            dropped.add(node.name)
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            dropped.add(node.name)
    return {name: next(iter(found)) for name, found in targets.items() if len(found) == 1 and name not in dropped}


def chains(tree):
    """(name node, dotted words after it) for every name that is read; longest chain first."""
    inner = set()
    for node in ast.walk(tree):
        words = []
        while isinstance(node, ast.Attribute):
            words.append(node.attr)
            node = node.value
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in inner:
            inner.add(id(node))
            yield node, words[::-1]


def expected_uses(text, project_words):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
    module_names = {symbol.get_name() for symbol in symtable.symtable(text.decode(), "x", "exec").get_symbols()
                    if symbol.is_imported()}
    imports = {name: target for name, target in module_imports(tree).items()
               if name in module_names and target.split(".")[0] not in project_words}
    lines = text.split(b"\n")
    for name, words in chains(tree):
        if name.id in imports:
            column = len(lines[name.lineno - 1][:name.col_offset].decode()) + 1
            yield (name.lineno, column), ".".join([imports[name.id], *words])


def fits(found, wanted):
    return wanted == found or wanted.startswith(found + ".")


def compare(program, folder):
    output = subprocess.run([program, folder], capture_output=True, text=True, check=True).stdout
    found = {}
    for line in output.splitlines():
        file, row, column, name, proof = line.split("\t")
        if proof in ("0", "2"):
            found.setdefault(file, {}).setdefault((int(row), int(column)), []).append(name)
    project_words = {path.stem for path in pathlib.Path(folder).rglob("*.py")}
    project_words |= {path.name for path in pathlib.Path(folder).rglob("*") if path.is_dir()}
    agreed = differ = skipped = 0
    for path in sorted(pathlib.Path(folder).rglob("*.py")):
        file = path.relative_to(folder).as_posix()
        try:
            text = path.read_bytes()
            wanted = list(expected_uses(text, project_words))
        except (SyntaxError, ValueError, OSError, RecursionError):
            skipped += 1
            continue
        for place, name in wanted:
            names = found.get(file, {}).get(place, [])
            if any(fits(one, name) for one in names):
                agreed += 1
            else:
                differ += 1
                print(f"{file}:{place[0]}:{place[1]}: expected {name}, found {names or 'nothing'}")
    print(f"{folder}: {agreed} agree, {differ} differ, {skipped} files that CPython does not parse")
    return differ


if __name__ == "__main__":
    sys.exit(1 if sum(compare(sys.argv[1], folder) for folder in sys.argv[2:]) else 0)

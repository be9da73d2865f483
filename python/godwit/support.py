"""What the chip supports: hands the verdicts of the profile to C++, and says at exit what was called and how it ran."""
import atexit
import json
import os
import sys
from pathlib import Path

from godwit.texts import text

SHOWN = 20
# Worst first; the words of support_calls().
WORDS = ("blocked", "type", "fallback", "unknown", "partial", "aicpu")
NAMED = 3  # operators named in a line that counts them


def configure(ops, profile: dict) -> None:
    """Hands over the rows about operators; at exit the summary is printed, and the report written where one is asked for."""
    ops.set_texts(list(profile["texts"]), list(profile["texts"].values()))
    abilities = {key: value for key, value in profile["soc"]["abilities"].items() if value}
    abilities["precision_mode"] = str(profile["defaults"].get("precision_mode", ""))
    ops.set_support(profile["soc"]["name"], [row(name, entry) for name, entry in profile["operators"].items()],
                    profile["missing"], abilities)
    ops.set_jit_compile(bool(profile["defaults"].get("jit_compile", False)))
    atexit.register(finish, ops, profile)


def row(name: str, entry: dict) -> str:
    cells = (entry.get(key, "") for key in ("on", "off", "types_on", "types_off", "missing_on", "missing_off"))
    return "\t".join((name, *cells))


def calls(ops) -> list:
    """(operator, type, calls, word) of all that ran or was refused; the word is empty where there is nothing to say."""
    return sorted(zip(*ops.support_calls()))


def finish(ops, profile: dict) -> None:
    called = calls(ops)
    if not called:
        return
    report = report_path(profile["report"]) if profile["report"] else None
    if report:
        write_report(report, called, profile)
    if os.environ.get("RANK", "0") == "0":
        print("\n".join(summary(ops, called, profile, report)), file=sys.stderr)


def summary(ops, called, profile: dict, report=None) -> list:
    def say(key, **places):
        return ops.say(key, {name: str(value) for name, value in places.items()})

    soc, release = profile["soc"], profile["torch_npu"]
    lines = [say("summary_title", chip=soc["name"], cards=profile["cards"], release=release["release"])]
    if release["read"] != release["release"]:
        lines.append(say("cut_release", **release))
    lines.append(say("summary_calls", operators=len({name for name, *_ in called}), calls=sum(count for _, _, count, _ in called)))
    spoken = sorted((entry for entry in called if entry[3] in WORDS), key=lambda entry: (WORDS.index(entry[3]), -entry[2]))
    for name, kind, count, word in spoken[:SHOWN]:
        lines.append(say("summary_line", operator=name, types=kind or "-", count=count, what=say(f"summary_{word}")))
    if len(spoken) > SHOWN:
        lines.append(say("summary_more", count=len(spoken) - SHOWN))
    unpromised = sorted({name for name, _, _, word in called if word == "undocumented"})
    if unpromised:
        lines.append(say("summary_promise", count=len(unpromised), some=", ".join(unpromised[:NAMED])))
    if report:
        lines.append(say("summary_report", path=report, to=soc["name"]))
    return lines


def report_path(path: str) -> Path:
    """Each rank writes a file of its own: ops.json, ops.rank1.json …"""
    rank = os.environ.get("RANK", "0")
    place = Path(path)
    return place if rank == "0" else place.with_suffix(f".rank{rank}{place.suffix}")


def write_report(path: Path, called, profile: dict) -> None:
    torch = sys.modules["torch"]
    header = {"format": "godwit-operator-trace", "version": 1,
              "origin": {"device": f"npu ({profile['soc']['name']}, emulated)", "torch": torch.__version__,
                         "model": Path(sys.argv[0]).name if sys.argv else ""}}
    records = [record(*entry) for entry in called]
    try:
        part = path.with_name(path.name + ".part")
        part.write_text(json.dumps({**header, "records": records}, indent=1) + "\n", encoding="utf-8")
        part.rename(path)
    except OSError as error:
        print(text("emulate.report", path=path, reason=error.strerror), file=sys.stderr)


# As torch prints a type in C++, and as Python spells it.
TYPES = {"Half": "float16", "Float": "float32", "Double": "float64", "BFloat16": "bfloat16", "Long": "int64", "Int": "int32",
         "Short": "int16", "Char": "int8", "Byte": "uint8", "Bool": "bool", "ComplexFloat": "complex64",
         "ComplexDouble": "complex128", "ComplexHalf": "complex32"}


def record(name: str, kind: str, count: int, word: str) -> dict:
    operator, _, overload = name.partition(".")
    entry = {"operator": operator, "overload": overload or "default", "count": count,
             "direction": "backward" if "_backward" in operator else "forward"}
    if kind:
        entry["dtypes"] = [TYPES.get(kind, kind)]
    if word:
        entry["ran"] = word
    return entry

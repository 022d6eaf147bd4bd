"""Numbers, names and pieces of text that readers stumble over."""

from __future__ import annotations

from random import Random

NUMBERS = (
    *("0", "-0.0", "1", "-1", "2", "0.5", "3", "7", "1e-3", "1e-9", "1e-18", "1e-160", "1e-300", "5e-324", "1e-400"),
    *("1e3", "1e5", "1e6", "1e9", "1e12", "1e15", "1e18", "1e100", "1e154", "1e155", "1e200", "1e300", "1.7976931348623157e308"),
    *("-1e9", "-1e155", "-1e308", "1e309", "1e999", "-1e999", "inf", "-inf", ".inf", "Infinity", "nan", "NaN", ".nan", "-nan"),
    *("99999999999999999999", "4294967296", "2147483648", "9223372036854775808", "300", "1000", "10000", "100000", "1000000"),
    *("0x10", "1_000", "1,5", "1.2.3", "--1", "+-1", "1e", "e5", ".", "-", "+", "", " ", "1 2", "1 2 3 4", "٣", "½", "π", "²"),
    *("pi", "-pi/2", "pi/0", "0*pi", "1e300*pi", "90deg", "1e308deg", "deg", "90°", "1e5000deg", "true", "null", "~", "[]", "{}"),
    "1" * 101,
    "9" * 400,
    "0." + "0" * 500 + "1",
)
NAMES = (
    *("", " ", "\t", "a b", "base", "universe", "root_joint", "world", "0", "1", "-1", "null", "~", "true", "no", "nan", "1e5"),
    *("../../etc/passwd", "/dev/null", "/dev/zero", "con", ".", ".."),
    *("a/b", "a\\b", "%s%n", "{0}", "{self}", "__class__", "${x}"),
    *("'", '"', "''", "`", "a'b", 'a"b', "a,b", "a;b", "a:b", "a: b", "a#b", " #", "- a", "? a", "&a", "*a", "!a", "<a>", "&lt;"),
    *("\u202eabc", "\u200b", "\ufeff", "é", "e\u0301", "名", "😀", "\x7f"),
    *("\x1b[31m", "\x85", "\u2028", "a\nb", "a\r", "\x00", "\x08"),
    *("shoulder", "elbow", "wrist", "link_1", "joint_1", "motor", "tool", "tip", "q", "qd", "t", "time", "q_0", "tau_elbow"),
    "a" * 300,
    "x" * 20_000,
    "'" * 2_000,
)
WORDS = (
    *("revolute", "prismatic", "fixed", "floating", "spherical", "planar", "continuous", "universal", "rigid", "hinge", "ball"),
    *("lissom", "kind", "tree", "dh", "motion", "scenario", "loops", "standard", "modified", "world", "link", "robot", "mujoco"),
    *("time", "integral", "peak", "torque", "position", "velocity"),
    *("acceleration", "jerk", "snap", "torque_rate", "joint_wrench"),
    *("link_position", "link_rotation", "distance_squared", "energy", "power", "drawn_power", "free", "equilibrium", "joints"),
    *("robots:rr", "robots:rp", "robots:panda", "robots:hua_arm", "robots:puma560", "robots:rr(l1=1e300)", "robots:none"),
    *("hold", "sine", "spline", "between", "file", "mixed", "computed_torque", "pd_gravity", "elastic_feedback", "uno", "ipopt"),
    *("adaptive", "implicit", "auto", "rk4", "semi_implicit", "full", "reflected", "true", "false"),
)
PIECES = tuple(
    text.encode("utf-8", "surrogatepass")
    for text in (
        *("\x00", "\ufeff", "\ud800", "\n", "\r\n", "\t", "\\", '"', "'", "<", ">", "&", "&#0;", "&#x110000;", "&lol;", "]]>"),
        *("<!--", "-->", "<![CDATA[", "<?xml version='1.1' encoding='utf-16'?>", "<!DOCTYPE a [<!ENTITY b 'c'>]>", "</robot>"),
        *("*a", "&a [", "!!python/object/apply:os.system ['id']"),
        *("!!binary x", "---\n", "...\n", "%YAML 9.9\n", "? ", "- ", ": "),
        *("{", "}", "[", "]", ",", ",,", ";", "|\n", ">\n", "#", "<<: ", "1e999", "nan", "[[[[[[[[", "{a: {a: {a: {a: "),
        *("q_", "qd_", "tau_", "t,", '"\n"', "a" * 5000, "[" * 3000, "<a>" * 3000, "- " * 3000, "PK\x03\x04", "\x93NUMPY"),
    )
) + (b"\xff", b"\xfe\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80")


def number(rng: Random) -> str:
    """Return a number, or a text that looks like one."""
    if rng.random() < 0.25:
        return f"{rng.choice((-1, 1)) * 10 ** rng.uniform(-12, 12):.6g}"
    return rng.choice(NUMBERS)


def name(rng: Random, known: list[str]) -> str:
    """Return a name: a nasty one, one of the file itself, or nearly one of these."""
    if known and rng.random() < 0.5:
        own = rng.choice(known)
        return rng.choice((own, own, own.upper(), own + " ", own + "_", own[:-1], own[::-1]))
    return rng.choice(NAMES)


def scalar(rng: Random, known: list[str]) -> str:
    """Return any text that may stand where a value stands."""
    which = rng.random()
    return number(rng) if which < 0.5 else name(rng, known) if which < 0.75 else rng.choice(WORDS)


def is_number(text: str) -> bool:
    """Tell whether a text is a plain number."""
    try:
        float(text)
    except ValueError:
        return False
    return True

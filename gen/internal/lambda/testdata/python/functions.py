"""Evaluates lambdas, as lines of JSON on the standard input say.

Three things in which the Go code differs on purpose are so here, too: integers
beyond 64 bits and complex numbers are refused, and dicts are in the order of
their keys.
"""

import ast
import json
import math
import sys

Limit = limit = 3
Third = third = 1.0 / 3
Word = word = "word"
numbers = [3, 1, 2]
traced = []


def trace(name, n):
    traced.append(name)
    return n


def trace_text(name):
    traced.append(name)
    return name


def change(text):
    global word
    word = text
    return text


def push(n):
    numbers[0] = n
    return n


def calls(n):
    text = "".join(traced)
    traced.clear()
    return text


class OddError(Exception):
    pass


def half(n):
    if n % 2 != 0:
        raise OddError("odd")
    return n // 2


def join3(first, second, third):
    return first + "-" + second + "-" + third


def join_all(separator, *parts):
    return separator.join(parts)


def mean(a, b):
    return (float(a) + float(b)) / 2


class Point:
    def __init__(self, x, y, label):
        self.x, self.y, self.label, self.name = x, y, label, label

    def moved_by(self, dx, dy):
        return Point(self.x + dx, self.y + dy, self.label)

    def __eq__(self, other):
        return isinstance(other, Point) and self.json() == other.json()

    def json(self):
        return {"X": self.x, "Y": self.y, "label": self.label}


    def step(self, n):
        self.x += n
        return self.x


def make_point(x, y, name):
    return Point(x, y, name)


cursor = Point(1, 1, "cursor")


def find_point(name):
    return Point(1, 2, name) if name else None


nowhere = None
absent = None


def present(n):
    return n + 1


def shape_of(n):
    return None if n % 2 else Point(1, 2, "shape")


def numbered(n):
    return {i + 1: chr(ord("a") + i) for i in range(n)}


def maybe_length(s):
    return len(s) if s else None


def nothing(n):
    pass


def narrowed(x):
    if abs(x) > 3.5e38 and abs(x) != float("inf"):
        raise OverflowError(f"{x} does not fit Go's float32")
    return x > 0


def size_of(n):
    return (n + 128) % 256 - 128


def color_of(s):
    return s


def paint(c, n):
    return c + "!"


def huge(big):
    return 1 << 63 if big else 1 << 40


def counts(s):
    return {c: s.count(c) for c in sorted(s)}


def tags(n):
    return ["tag"] * n


def grid(n):
    return [tags(n), []]


def names(n):
    return {"a": tags(n), "b": []} if n else {}


def flag(p):
    return "yes" if p else "no"


def total(list):
    return sum([float(x) for x in list], 0.0)


def first(list):
    return list[0] if list else None


def prices(dict):
    return float(dict.get("a", 0)) + float(dict.get("b", 0))


def has(dict, key):
    return key in dict


def narrow(x):
    return nan


nan = float("nan")


def wide(big):
    return {1 << 63: "big"} if big else {5: "small"}


def colors(n):
    return {"red": n}


def sizes(n):
    return {1: n}


def loose(n):
    loosest = [[], {}, [[], {}, 1, [[]], None], {"a": [[]], "b": {"c": []}}, [[[]], []], ["a"]]
    return loosest[n] if n < len(loosest) else None


def loose_list(n):
    return [loose(n - 1), [], [{}, {"a": [[]]}]] if n else []


def loose_dict(n):
    return {"a": loose(n - 1)} if n else {}


def loose_pair(n):
    return {"a": loose(n)}


loosely = [[]]


class Holder:
    def __init__(self, n):
        self.value, self.values = loose(n), loose_list(n)


def make_holder(n):
    return Holder(n)


def raw_text(n):
    return None


for f in [trace, trace_text, change, push, calls, half, join3, join_all, mean, make_point, find_point]:
    f.__module__ = "builtins"  # so that messages call them by their name alone


def checked(v):
    if type(v) is int and not -(1 << 63) <= v < 1 << 63:
        raise OverflowError("the result does not fit a 64-bit integer")
    if isinstance(v, complex):
        raise ValueError("the power is a complex number")
    return in_order(v)


def in_order(v):
    if isinstance(v, dict):
        return {k: in_order(v[k]) for k in sorted(v)}
    if isinstance(v, list):
        return [in_order(x) for x in v]
    return v


class Check(ast.NodeTransformer):
    def generic_visit(self, node):
        super().generic_visit(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "huge":
            return node  # which Go can handle, though not reckon with
        if isinstance(node, (ast.BinOp, ast.Call, ast.Dict)) or isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant):
            return ast.copy_location(ast.Call(ast.Name("checked", ast.Load()), [node], []), node)
        return node


def compiled(text):
    tree = Check().visit(ast.parse(text, mode="eval"))
    return eval(compile(ast.fix_missing_locations(tree), "<lambda>", "eval"), globals())


def exact(v):
    """Returns a value as JSON that tells floats from integers."""
    if isinstance(v, float):
        return {"float": repr(v)}
    if isinstance(v, (list, tuple)):
        return [exact(x) for x in v]
    if isinstance(v, dict):
        return {str(k): exact(x) for k, x in v.items()}
    if isinstance(v, Point):
        return v.json()
    return v


def reset():
    """Undoes what expressions did to variables."""
    global word, cursor
    word, cursor = "word", Point(1, 1, "cursor")
    numbers[:] = [3, 1, 2]
    traced.clear()


def main():
    print(json.dumps(list(sys.version_info[:2])))
    known = {}
    for line in sys.stdin:
        request = json.loads(line)
        text = request["lambda"]
        if text not in known:
            known[text] = compiled(text)
        reset()
        try:
            value = known[text](*[float(a) if f and a is not None else in_order(a) for a, f in zip(request["arguments"], request["floats"])])
            answer = {"value": exact(value)}
        except Exception as e:
            answer = {"error": type(e).__name__ + ": " + str(e)}
        print(json.dumps(answer))


main()

"""What the reference may consist of: builtins, modules, attributes, decorators, and where it asks or changes something.

smt.release.means reads every statement of the reference against these lists (means.py). They are short, because the
reference is small. An entry says (file, function, text), where it matters which.
"""

BUILTINS = {
    "abs", "all", "bool", "callable", "divmod", "enumerate", "float", "getattr", "hasattr", "int", "isinstance", "list",
    "map", "max", "min", "object", "property", "range", "repr", "round", "str", "super", "tuple", "type", "zip",
    "ModuleNotFoundError", "OverflowError", "ValueError", "__all__", "__version__",
}  # fmt: skip
# Other modules, and what is taken from them
MODULES = {
    "collections.abc": "Callable",
    "dataclasses": "dataclass replace",
    "decimal": "Context Decimal ROUND_CEILING",
    "fractions": "Fraction",
    "functools": "cached_property lru_cache partial",
    "gmpy2": "RoundDown RoundToNearest RoundUp context is_infinite is_nan is_signed mpfr rint_round",
    "html": "escape",
    "importlib.util": "find_spec",
    "math": "floor frexp isfinite ldexp",
    "numpy": "all any array asarray empty flatnonzero float64 floor frombuffer generic int64 isfinite ma uint64",
    "numpy.typing": "NDArray",
    "os": "urandom",
    "random": "Random",
    "typing": "Any NamedTuple Protocol SupportsFloat TYPE_CHECKING",
}
RENAMED = {"np": "numpy", "npt": "numpy.typing", "clamp_pattern": "clamp"}  # other names that imports get
# Attributes that the reference does not define: of numbers, texts, arrays and contexts of MPFR. With these nothing is
# changed or written, and the flags that MPFR sets are not read
ATTRIBUTES = {
    "MaskedArray", "_replace", "as_integer_ratio", "as_mantissa_exp", "astype", "bit_length", "clip", "const_log2",
    "denominator", "div", "div_2exp", "divide", "dtype", "flat", "from_bytes", "getrandbits", "isdecimal", "item",
    "itemsize", "kind", "mul", "mul_2exp", "numerator", "partition", "plus", "ravel", "removeprefix", "reshape",
    "shape", "size", "sub", "to_bytes", "tolist", "view", "__init__", "__float__",
}  # fmt: skip
# Methods that Python, or a notebook, calls by itself; and one function
HIDDEN = {"__init__", "__call__", "__float__", "__repr__", "_repr_html_", "_end"}
DECORATORS = {"dataclass(frozen=True)", "property"}
# What keeps a result: contexts of MPFR, and what follows from the two numbers of a format
KEPT = {("arithmetic.py", "context", "lru_cache(maxsize=64)")} | {
    ("formats.py", name, "cached_property")
    for name in ["bias", "fraction_bits", "hidden", "infinity", "max_exponent", "min_exponent", "sign_bit", "special"]
}
# What is called when a module is loaded. None of these can be changed afterwards
LOADED = {
    "Context", "Format", "Fraction", "ModuleNotFoundError", "Regime", "SystemSource", "build_tables", "dataclass",
    "find_spec", "np.uint64", "working_format",
}  # fmt: skip
DEFAULTS = {"BINARY64", "CONSTANT", "TABLES", "gmpy2.RoundToNearest"}  # parameters that are not given, beside constants
# Variables that a step changes, and arrays that are filled. They are the function's own
STEPS = {
    ("batch/mechanism.py", "rounded_logarithms", "certain"),
    ("batch/mechanism.py", "rounded_logarithms", "value[i]"),
    ("batch/mechanism.py", "release", "results[start:start + CHUNK]"),
    ("certificate.py", "hexadecimal", "digits"),
    ("logarithm.py", "ln_far_below", "bits"),
    ("randomness.py", "tosses", "before"),
    ("uniform.py", "__call__", "significand"),
}
# The errors that are caught, and where: another error follows, or a number is too large to be shown as a float
CAUGHT = {
    ("batch/mechanism.py", "checked", "(ValueError, OverflowError)"),
    ("batch/mechanism.py", "double", "OverflowError"),
    ("budget.py", "show", "OverflowError"),
    ("budget.py", "suggest", "OverflowError"),
    ("mechanism.py", "encoded", "ParameterError"),
}
# With these the code can ask what kind of thing it was given, and tell a number from the name that stands for it in a
# program on names; and it can look around, or draw bits. So where they are called, and with what, is a list, too. So
# are comparisons by `is`, but for None, and comparisons with a text
ASKING = {
    "Random", "callable", "find_spec", "getattr", "hasattr", "isinstance", "repr", "str", "type", "urandom",
}  # fmt: skip
ASKED = {
    ("errors.py", "check_finite", "isinstance(number, float)"),
    ("errors.py", "check_finite", "isinstance(number, bool)"),
    ("errors.py", "check_finite", "isinstance(number, int)"),
    ("errors.py", "check_finite", "type(number)"),
    ("errors.py", "written", "isinstance(number, int)"),
    ("errors.py", "written", "str(number)"),
    ("errors.py", "whole", "isinstance(number, bool)"),
    ("errors.py", "whole", "isinstance(number, int)"),
    ("errors.py", "whole", "type(number)"),
    ("arithmetic.py", "exact", "isinstance(number, int)"),
    ("arithmetic.py", "exact", "isinstance(number, float)"),
    ("interface.py", "plain", "getattr(number, 'dtype', None)"),
    ("interface.py", "plain", "getattr(getattr(number, 'dtype', None), 'kind', None)"),
    ("interface.py", "plain", "getattr(number, 'ndim', None)"),
    ("interface.py", "plain", "hasattr(number, 'item')"),
    ("interface.py", "plain", "hasattr(number, 'mask')"),
    ("interface.py", "checked", "callable(getattr(source, 'bits', None))"),
    ("interface.py", "checked", "getattr(source, 'bits', None)"),
    ("interface.py", "checked", "type(source)"),
    ("mechanism.py", "_repr_html_", "str(self.value)"),
    ("mechanism.py", "release", "isinstance(value, float)"),
    ("budget.py", "suggest", "repr(float(safe))"),
    ("formats.py", "encode", "isinstance(number, bool)"),
    ("formats.py", "encode", "isinstance(number, (int, float, mpfr))"),
    ("randomness.py", "bits", "os.urandom(size)"),
    ("randomness.py", "__init__", "random.Random(seed)"),
    ("certificate.py", "exact_text", "'2**' not in approximate"),
    ("uniform.py", "uniform_law", "kind == 'unbounded'"),
    ("uniform.py", "uniform_law", "kind == 'binary64'"),
    ("uniform.py", "uniform_law", "name == 'bounded'"),
    ("batch/__init__.py", "", "find_spec('numpy')"),
    ("batch/draws.py", "random_words", "type(source)"),
    ("batch/draws.py", "random_words", "type(source) is SystemSource"),
    ("batch/draws.py", "random_words", "os.urandom(BYTES * count)"),
    ("batch/mechanism.py", "checked", "given.dtype.kind in 'iu'"),
    ("batch/mechanism.py", "checked", "given.dtype.kind == 'O'"),
    ("batch/mechanism.py", "checked", "given.dtype.kind not in 'iuf'"),
    ("batch/mechanism.py", "double", "number.dtype.kind not in 'mM'"),
    ("batch/mechanism.py", "checked", "isinstance(values, np.ma.MaskedArray)"),
    ("batch/mechanism.py", "checked", "hasattr(values, '__array__')"),
    ("batch/mechanism.py", "listed", "isinstance(values, (list, tuple, range))"),
    ("batch/mechanism.py", "listed", "hasattr(values, '__array__')"),
    ("batch/mechanism.py", "listed", "getattr(values, 'ndim', 0)"),
    ("batch/mechanism.py", "double", "isinstance(number, np.generic)"),
}
ONCE = {"cache", "cached_property", "lru_cache"}  # what keeps a result may only be a decorator
# Where a text is made of a number, beside errors and conditions. Elsewhere a text could tell it from a name
TEXTS = {
    *(("certificate.py", name) for name in ["basis", "lines", "as_table", "hexadecimal", "exact_text", "upper_text"]),
    ("mechanism.py", "__repr__"),
    ("batch/mechanism.py", "__repr__"),
    ("batch/mechanism.py", "_repr_html_"),
    ("budget.py", "most"),
    ("budget.py", "show"),
    ("errors.py", "written"),
    ("randomness.py", "__init__"),
}
# Names that several modules define, and how many. Any other name has one home
SEVERAL = {"Mechanism": 2, "checked": 2, "clamp": 3, "noise": 2, "snap": 3, "snapped": 3}
OWN = {("binary64.py", "round")}  # the protocol's names are those of the stages

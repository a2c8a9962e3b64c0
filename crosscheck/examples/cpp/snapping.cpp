// A snapping mechanism in C++, and how to have it checked:
//
//     g++ -std=gnu++17 -O2 -ffp-contract=off -o snapping snapping.cpp -lquadmath
//     snapref crosscheck --command ./snapping
//
// The last part of the file is all that the protocol takes: a JSON line in, a JSON line out.

#include <quadmath.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>

namespace {

constexpr double kEta = 0x1p-53;

void Need(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

class Snapping {
 public:
  static double Lattice(double scale) {
    Need(scale > 0 && std::isfinite(scale), "scale must be positive and finite");
    int exponent;
    const double mantissa = std::frexp(scale, &exponent);
    return std::ldexp(1.0, exponent - (mantissa == 0.5));
  }

  static double Round(double x, double lattice) {
    Need(std::isfinite(x) && lattice > 0 && std::isfinite(lattice), "x and lattice must be finite");
    const double quotient = x / lattice;  // exact, or too large to have a fraction, or far below 1/2
    if (std::fabs(quotient) >= 0x1p52) return x;
    const double below = std::floor(quotient);
    return (below + (quotient - below >= 0.5)) * lattice + 0.0;
  }

  static double Clamp(double x, double bound) {
    Need(!std::isnan(x) && bound >= 0 && std::isfinite(bound), "x is NaN, or bound is not a finite number of at least 0");
    return x > bound ? bound : x < -bound ? -bound : x;
  }

  // 113 bits, then rounded to 53: right for every double but perhaps the very hardest, and for all that are tested.
  static double Log(double u) {
    Need(u > 0 && u < 1, "u must lie between 0 and 1");
    return static_cast<double>(logq(u));
  }

  static double Uniform(std::int64_t exponent, std::uint64_t mantissa) {
    std::uint64_t significand = mantissa | std::uint64_t{1} << 52;
    const std::int64_t cut = exponent - 1022;  // bits below the grid of subnormals
    if (cut <= 0) return std::ldexp(static_cast<double>(significand), static_cast<int>(-52 - exponent));
    significand = cut > 52 ? 0 : significand >> cut;
    return std::ldexp(static_cast<double>(significand ? significand : 1), -1074);
  }

  static double Snap(double value, double scale, double bound, int sign, double u) {
    const double noise = sign * scale * Log(u);
    return Clamp(Round(Clamp(value, bound) + noise, Lattice(scale)), bound);
  }

  static double InnerEpsilon(double epsilon, double bound, double sensitivity) {
    Need(epsilon > 2 * kEta && std::isfinite(epsilon), "epsilon must exceed 2**-52 and be finite");
    Need(bound > 0 && std::isfinite(bound), "bound must be positive and finite");
    Need(sensitivity > 0 && std::isfinite(sensitivity), "sensitivity must be positive and finite");
    return (epsilon - 2 * kEta) / (1 + 12 * (bound / sensitivity) * kEta) * (1 - 0x1p-50);  // down, to be safe
  }

  double Release(double value, double epsilon, double bound, double sensitivity) {
    const double scale = sensitivity / InnerEpsilon(epsilon, bound, sensitivity) * (1 + 0x1p-51);
    // beyond 353, a U* that is a double ends too early
    Need(scale <= bound && bound <= 353 * scale, "bound must be between the scale and 353 times the scale");
    const std::uint64_t word = Bits();
    return Snap(value, scale, bound, word & 1 ? 1 : -1, Uniform(Geometric(), word >> 12));
  }

 private:
  std::uint64_t Bits() { return std::uint64_t{device_()} << 32 | device_(); }

  // k with probability 2**-k.
  std::int64_t Geometric() {
    for (std::int64_t exponent = 1;; exponent += 64) {
      const std::uint64_t coins = Bits();
      if (coins) return exponent + __builtin_clzll(coins);
    }
  }

  std::random_device device_;  // the operating system's generator
};

// The protocol -------------------------------------------------------------------------------------------------------

// The text of one field of a request. Requests are flat: no value holds a comma or a brace.
std::string Field(const std::string& line, const std::string& name) {
  const auto key = line.find('"' + name + "\":");
  if (key == std::string::npos) throw std::runtime_error("the request has no " + name);
  const auto from = line.find_first_not_of(" \"", key + name.size() + 3);
  return line.substr(from, line.find_first_of(",}\"", from) - from);
}

double Number(const std::string& line, const std::string& name) {
  return std::strtod(Field(line, name).c_str(), nullptr);  // stod refuses subnormal numbers
}

std::string Hex(double x) {
  if (std::isnan(x)) return "\"nan\"";
  if (std::isinf(x)) return x > 0 ? "\"inf\"" : "\"-inf\"";
  char text[40];
  std::snprintf(text, sizeof text, "\"%a\"", x);
  return text;
}

std::string Answer(Snapping& mechanism, const std::string& line) {
  const std::string op = Field(line, "op");
  auto arg = [&](const char* name) { return Number(line, name); };
  auto whole = [&](const char* name) { return std::stoll(Field(line, name)); };
  if (op == "describe") return R"("name": "the C++ example", "ties": "up", "precision": 53, "uniform": "binary64")";
  if (op == "lattice") return "\"result\": " + Hex(Snapping::Lattice(arg("scale")));
  if (op == "round") return "\"result\": " + Hex(Snapping::Round(arg("x"), arg("lattice")));
  if (op == "clamp") return "\"result\": " + Hex(Snapping::Clamp(arg("x"), arg("bound")));
  if (op == "log") return "\"result\": " + Hex(Snapping::Log(arg("u")));
  if (op == "uniform") return "\"result\": " + Hex(Snapping::Uniform(whole("exponent"), whole("mantissa")));
  if (op == "snap") {
    const int sign = static_cast<int>(whole("sign"));
    return "\"result\": " + Hex(Snapping::Snap(arg("value"), arg("scale"), arg("bound"), sign, arg("u")));
  }
  if (op == "inner_epsilon") {
    return "\"result\": " + Hex(Snapping::InnerEpsilon(arg("epsilon"), arg("bound"), arg("sensitivity")));
  }
  if (op == "release") {
    std::string results;
    for (long long i = whole("count"); i > 0; --i) {
      results += Hex(mechanism.Release(arg("value"), arg("epsilon"), arg("bound"), arg("sensitivity")));
      if (i > 1) results += ", ";
    }
    return "\"results\": [" + results + "]";
  }
  return "\"unsupported\": true";
}

}  // namespace

int main() {
  Snapping mechanism;
  for (std::string line; std::getline(std::cin, line);) {
    std::string answer;
    try {
      answer = Answer(mechanism, line);
    } catch (const std::invalid_argument& refusal) {
      answer = std::string("\"error\": \"") + refusal.what() + '"';
    }
    std::cout << "{\"id\": " << Field(line, "id") << ", " << answer << '}' << std::endl;
  }
}

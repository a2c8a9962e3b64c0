# A snapping mechanism in R, without any package, and how to have it checked:
#
#     snapref crosscheck --command 'Rscript snapping.R' --require release
#
# R's logarithm is the platform's, which is not correctly rounded, and R has no 64-bit integers for the mantissa of U*.
# So `log`, `snap` and `uniform` are not offered, and the verdict says that these were not checked.

eta <- 2^-53

need <- function(condition, message) {
  if (is.na(condition) || !condition) stop(message, call. = FALSE)
}

# The smallest power of two that is at least the scale. log2 may be off by one; the loops put it right.
snap_lattice <- function(scale) {
  need(scale > 0 && is.finite(scale), "scale must be positive and finite")
  if (scale > 2^1023) return(Inf) # no double is large enough
  power <- 2^ceiling(log2(scale))
  while (power < scale) power <- power * 2
  while (power / 2 >= scale) power <- power / 2
  power
}

snap_round <- function(x, lattice) {
  need(is.finite(x) && lattice > 0 && is.finite(lattice), "x and lattice must be finite")
  quotient <- x / lattice # exact, or too large to have a fraction, or far below 1/2
  if (abs(quotient) >= 2^52) return(x)
  below <- floor(quotient)
  (below + (quotient - below >= 0.5)) * lattice + 0
}

snap_clamp <- function(x, bound) {
  need(!is.nan(x) && bound >= 0 && is.finite(bound), "x is NaN, or bound is not a finite number of at least 0")
  max(-bound, min(bound, x))
}

inner_epsilon <- function(epsilon, bound, sensitivity) {
  need(epsilon > 2 * eta && is.finite(epsilon), "epsilon must exceed 2^-52 and be finite")
  need(bound > 0 && is.finite(bound), "bound must be positive and finite")
  need(sensitivity > 0 && is.finite(sensitivity), "sensitivity must be positive and finite")
  (epsilon - 2 * eta) / (1 + 12 * (bound / sensitivity) * eta) * (1 - 2^-50) # down, to be safe
}

random_device <- file("/dev/urandom", "rb", raw = TRUE)

# A uniform number of (0, 1) with 53 random bits of its own, whatever its size.
draw_uniform <- function() {
  exponent <- 1
  repeat {
    coins <- as.integer(readBin(random_device, "raw", 1L))
    if (coins > 0L) break
    exponent <- exponent + 8
  }
  exponent <- exponent + 7 - floor(log2(coins))
  words <- readBin(random_device, "integer", 4L, size = 2L, signed = FALSE)
  mantissa <- ((words[1] * 2^16 + words[2]) * 2^16 + words[3]) * 2^4 + words[4] %/% 2^12 # 52 bits
  list(u = (1 + mantissa * 2^-52) * 2^-exponent, sign = if (words[4] %% 2 == 1) 1 else -1)
}

release <- function(value, epsilon, bound, sensitivity) {
  scale <- sensitivity / inner_epsilon(epsilon, bound, sensitivity) * (1 + 2^-51)
  # beyond 353, a U* that is a double ends too early
  need(scale <= bound && bound <= 353 * scale, "bound must be between the scale and 353 times the scale")
  drawn <- draw_uniform()
  noisy <- snap_clamp(value, bound) + drawn$sign * scale * log(drawn$u)
  snap_clamp(snap_round(noisy, snap_lattice(scale)), bound)
}

# The protocol -------------------------------------------------------------------------------------------------------

# R reads C99 hex floats with as.numeric and writes them with sprintf.
hex <- function(x) {
  text <- sprintf("%a", x)
  text[is.nan(x)] <- "nan"
  text[is.infinite(x)] <- ifelse(x[is.infinite(x)] > 0, "inf", "-inf")
  paste0('"', text, '"', collapse = ", ")
}

answer <- function(op, arg) {
  if (op == "describe") return('"name": "the R example"')
  if (op == "release") {
    results <- replicate(arg("count"), release(arg("value"), arg("epsilon"), arg("bound"), arg("sensitivity")))
    return(paste0('"results": [', hex(results), "]"))
  }
  result <- switch(op,
    lattice = snap_lattice(arg("scale")),
    round = snap_round(arg("x"), arg("lattice")),
    clamp = snap_clamp(arg("x"), arg("bound")),
    inner_epsilon = inner_epsilon(arg("epsilon"), arg("bound"), arg("sensitivity"))
  )
  if (is.null(result)) '"unsupported": true' else paste0('"result": ', hex(result))
}

input <- file("stdin", "r")
while (length(line <- readLines(input, n = 1L)) > 0L) {
  field <- function(name) { # requests are flat: no value holds a comma or a brace
    gsub('[ "]', "", sub(paste0('.*"', name, '": *("[^"]*"|[^,}]*).*'), "\\1", line))
  }
  told <- tryCatch(
    answer(field("op"), function(name) as.numeric(field(name))),
    error = function(refusal) paste0('"error": "', conditionMessage(refusal), '"')
  )
  cat('{"id": ', field("id"), ", ", told, "}\n", sep = "")
  flush(stdout())
}

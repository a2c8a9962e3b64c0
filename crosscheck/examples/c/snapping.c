/* A snapping mechanism in C, and how to have it checked:

     cc -O2 -shared -fPIC -ffp-contract=off -o libsnapping.so snapping.c -lm
     snapref crosscheck snapping.toml

   A function returns 0 and stores its result, or returns 1 to refuse. -ffp-contract=off matters: a fused multiply-add
   rounds once where the mechanism rounds twice. */

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#define ETA 0x1p-53
typedef unsigned __int128 wide;
typedef struct { uint64_t limb[4]; } fixed; /* limb[3] is the integer part, 192 bits follow the point */

static fixed divide(fixed a, uint64_t n) {
    wide rest = 0;
    for (int i = 3; i >= 0; i--) {
        wide here = rest << 64 | a.limb[i];
        a.limb[i] = (uint64_t)(here / n);
        rest = here % n;
    }
    return a;
}

static fixed add(fixed a, fixed b) {
    wide carry = 0;
    for (int i = 0; i < 4; i++) {
        carry += (wide)a.limb[i] + b.limb[i];
        a.limb[i] = (uint64_t)carry;
        carry >>= 64;
    }
    return a;
}

static fixed multiply(fixed a, fixed b) {
    uint64_t product[8] = {0};
    for (int i = 0; i < 4; i++) {
        wide carry = 0;
        for (int j = 0; j < 4; j++) {
            carry += (wide)a.limb[i] * b.limb[j] + product[i + j];
            product[i + j] = (uint64_t)carry;
            carry >>= 64;
        }
        product[i + 4] = (uint64_t)carry;
    }
    return (fixed){{product[3], product[4], product[5], product[6]}};
}

static int is_zero(fixed a) { return !(a.limb[0] | a.limb[1] | a.limb[2] | a.limb[3]); }

/* ln(d/n) for 1/2 <= n/d <= 1, by the series of atanh. */
static fixed ln_ratio(uint64_t n, uint64_t d) {
    fixed z = divide((fixed){{0, 0, 0, d - n}}, d + n), square = multiply(z, z), total = {{0}};
    for (uint64_t k = 1; !is_zero(z); k += 2) {
        total = add(total, divide(z, k));
        z = multiply(z, square);
    }
    return add(total, total);
}

/* The nearest double; a logarithm is never half-way between two. */
static double to_double(fixed a) {
    int top = 3;
    while (top > 0 && a.limb[top] == 0) top--;
    int shift = __builtin_clzll(a.limb[top]);
    uint64_t high = a.limb[top] << shift;
    if (shift && top) high |= a.limb[top - 1] >> (64 - shift);
    uint64_t significand = (high >> 11) + (high >> 10 & 1);
    return ldexp((double)significand, 64 * (top - 3) - shift + 11);
}

int snapping_lattice(double scale, double *result) {
    if (!(scale > 0) || isinf(scale)) return 1;
    int exponent;
    double mantissa = frexp(scale, &exponent);
    *result = ldexp(1.0, exponent - (mantissa == 0.5));
    return 0;
}

int snapping_round(double x, double lattice, double *result) {
    if (!isfinite(x) || !isfinite(lattice) || !(lattice > 0)) return 1;
    double quotient = x / lattice, below = floor(quotient);
    *result = fabs(quotient) >= 0x1p52 ? x : (below + (quotient - below >= 0.5)) * lattice + 0.0;
    return 0;
}

int snapping_clamp(double x, double bound, double *result) {
    if (isnan(x) || !isfinite(bound) || !(bound >= 0)) return 1;
    *result = x > bound ? bound : x < -bound ? -bound : x;
    return 0;
}

int snapping_log(double u, double *result) {
    if (!(u > 0 && u < 1)) return 1;
    int exponent;
    uint64_t n = (uint64_t)ldexp(frexp(u, &exponent), 53);
    fixed total = ln_ratio(n, UINT64_C(1) << 53), ln2 = ln_ratio(1, 2);
    fixed times = {{0, 0, 0, (uint64_t)-exponent}};
    *result = -to_double(add(total, multiply(ln2, times)));
    return 0;
}

double snapping_uniform(int64_t exponent, uint64_t mantissa) {
    uint64_t significand = mantissa | UINT64_C(1) << 52;
    int64_t cut = exponent - 1022; /* bits below the grid of subnormals */
    if (cut <= 0) return ldexp((double)significand, (int)(-52 - exponent));
    significand = cut > 52 ? 0 : significand >> cut;
    return ldexp((double)(significand ? significand : 1), -1074);
}

int snapping_snap(double value, double scale, double bound, int sign, double u, double *result) {
    double inner, logarithm, lattice, rounded;
    if (snapping_clamp(value, bound, &inner) || snapping_log(u, &logarithm) || snapping_lattice(scale, &lattice)) return 1;
    double noise = sign * scale * logarithm;
    if (snapping_round(inner + noise, lattice, &rounded)) return 1;
    return snapping_clamp(rounded, bound, result);
}

int snapping_inner_epsilon(double epsilon, double bound, double sensitivity, double *result) {
    if (!(epsilon > 2 * ETA) || !(bound > 0) || !(sensitivity > 0)) return 1;
    if (isinf(epsilon) || isinf(bound) || isinf(sensitivity)) return 1;
    double nearest = (epsilon - 2 * ETA) / (1 + 12 * (bound / sensitivity) * ETA);
    *result = nearest * (1 - 0x1p-50); /* down, to be safe */
    return 0;
}

static int random_bits(uint64_t *word) {
    static FILE *source;
    if (!source) source = fopen("/dev/urandom", "rb");
    return !source || fread(word, sizeof *word, 1, source) != 1;
}

int snapping_release(double value, double epsilon, double bound, double sensitivity, double *result) {
    double inner;
    uint64_t word, coins;
    if (snapping_inner_epsilon(epsilon, bound, sensitivity, &inner)) return 1;
    double scale = sensitivity / inner * (1 + 0x1p-51);
    if (!(scale <= bound && bound <= 353 * scale)) return 1; /* beyond, a U* that is a double ends too early */
    int64_t exponent = 1;
    do { /* the first coin that shows 1 */
        if (random_bits(&coins)) return 1;
        if (!coins) exponent += 64;
    } while (!coins);
    if (random_bits(&word)) return 1;
    double u = snapping_uniform(exponent + __builtin_clzll(coins), word >> 12);
    return snapping_snap(value, scale, bound, word & 1 ? 1 : -1, u, result);
}

"""Rules for the number of components, written as their authors did: loops and bisection."""

from math import inf, log, sqrt


def slow_screenot(singular_values, aspect, most):
    """(cut, count) from y D'(y) / D(y) = -4, the derivative taken by differences."""
    y = sorted(singular_values, reverse=True)
    scale = y[0]
    y = [one / scale for one in y]
    z = list(y)
    for i in range(1, most + 1):
        step = (1 - ((i - 1) / most) ** (2 / 3)) / (2 ** (2 / 3) - 1)
        z[i - 1] = y[most] + step * (y[most] - y[2 * most])

    def log_D(x):
        phi = sum(x / (x * x - one * one) for one in z) / len(z)
        return log(phi) + log(aspect * phi + (1 - aspect) / x)

    def slope(x):
        h = 1e-6 * (x - z[0])
        return x * (log_D(x + h) - log_D(x - h)) / (2 * h)

    low, high = z[0] * (1 + 1e-9), 3 * z[0]
    for _ in range(100):
        middle = (low + high) / 2
        if slope(middle) < -4:
            low = middle
        else:
            high = middle
    return low * scale, sum(one > low for one in y)


def slow_edge(variances, rows):
    """The largest of the local minima of z(v), v in (-1 / max t, 0): by golden section."""
    gamma, largest = len(variances) / rows, max(variances)

    def z(v):
        return -1 / v + gamma * sum(t / (1 + t * v) for t in variances) / len(variances)

    low, high = -(1 - 1e-12) / largest, -1e-9 / largest
    golden = (sqrt(5) - 1) / 2
    for _ in range(200):
        one, two = high - golden * (high - low), low + golden * (high - low)
        if z(one) < z(two):
            high = two
        else:
            low = one
    return z((low + high) / 2)


def slow_broken_stick(values, count):
    """How many shares exceed their piece, up to the first that does not."""
    total = sum(values)
    for k in range(1, count + 1):
        piece = sum(1 / j for j in range(k, count + 1)) / count
        if values[k - 1] / total <= piece:
            return k - 1
    return count


def slow_growth_ratio(values, most):
    """argmax of ln(1 + m_k) / ln(1 + m_{k+1}), k = 0 counted with the mock eigenvalue."""
    best, chosen = -inf, 0

    def m(k):
        if k == 0:
            return 1 / log(len(values))
        return values[k - 1] / sum(values[k:])

    for k in range(most + 1):
        ratio = log(1 + m(k)) / log(1 + m(k + 1))
        if ratio > best:
            best, chosen = ratio, k
    return chosen


def slow_bai_ng(values, n, d, most):
    def criterion(k):
        return log(sum(values[k:])) + k * (n + d) / (n * d) * log(min(n, d))

    return min(range(most + 1), key=criterion)


def slow_gcv(values, n, d, most):
    def error(k):
        rss = (n - 1) * sum(values[k:])
        return n * d * rss / ((n - 1) * d - k * (n + d - k - 1)) ** 2

    return min(range(most + 1), key=error)

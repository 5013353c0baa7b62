"""Document 002: RAVE. Samples are lists of results, one for each simulation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def estimate_variances(
    uct_samples: Sequence[float], amaf_samples: Sequence[float]
) -> tuple[float, float]:
    """sigma^2 and sigma~^2."""
    if len(uct_samples) > 1:
        # slip: the variance of one sample, which does not fall with n. The document's sigma^2 is
        # that of the mean: np.var(uct_samples, ddof=1) / len(uct_samples)
        sigma_squared = float(np.var(uct_samples, ddof=1))
    else:
        sigma_squared = 1.0

    if len(amaf_samples) > 1:
        sigma_tilde_squared = float(np.var(amaf_samples, ddof=1))  # slip: the same
    else:
        sigma_tilde_squared = 1.0

    return sigma_squared, sigma_tilde_squared


def estimate_bias_squared(uct_mean: float, amaf_mean: float, min_samples: int = 10) -> float:
    """b~^2, as printed: it raises NameError."""
    # slip: the two lists are no arguments. Right: `estimate_bias_squared_mended`
    if len(uct_samples) >= min_samples and len(amaf_samples) >= min_samples:  # type: ignore[name-defined] # noqa: F821
        bias_squared = (amaf_mean - uct_mean) ** 2
    else:
        bias_squared = 0.1

    return bias_squared


def estimate_bias_squared_mended(
    uct_samples: Sequence[float], amaf_samples: Sequence[float], min_samples: int = 10
) -> float:
    """b~^2, from the samples themselves."""
    if len(uct_samples) >= min_samples and len(amaf_samples) >= min_samples:
        return float((np.mean(amaf_samples) - np.mean(uct_samples)) ** 2)
    return 0.1


def compute_optimal_beta(
    sigma_squared: float, sigma_tilde_squared: float, bias_squared: float
) -> float:
    """The beta that makes the squared error least.

    >>> round(compute_optimal_beta(0.25, 0.04, 0.01), 2)
    0.83
    """
    denominator = sigma_squared + sigma_tilde_squared + bias_squared
    if denominator > 1e-10:
        beta = sigma_squared / denominator
    else:
        beta = 0.5

    return float(np.clip(beta, 0.0, 1.0))


def adaptive_rave_update(
    node: Any, new_uct_sample: float, new_amaf_samples: Sequence[float]
) -> None:
    """New samples of a node, its beta and its value."""
    node.uct_samples.append(new_uct_sample)
    node.amaf_samples.extend(new_amaf_samples)

    sigma_sq, sigma_tilde_sq = estimate_variances(node.uct_samples, node.amaf_samples)
    # slip: the document calls estimate_bias_squared with the means, which raises NameError
    bias_sq = estimate_bias_squared_mended(node.uct_samples, node.amaf_samples)

    node.beta = compute_optimal_beta(sigma_sq, sigma_tilde_sq, bias_sq)
    node.rave_value = float(
        (1 - node.beta) * np.mean(node.uct_samples) + node.beta * np.mean(node.amaf_samples)
    )

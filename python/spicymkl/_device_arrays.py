"""Arrays in the memory of a GPU, by DLPack: those of CuPy, torch or JAX, read where they are."""

from __future__ import annotations

import numpy as np

# Of DLPack: memory that the processor reads, and that of a GPU of NVIDIA.
_PROCESSOR, _CUDA, _CUDA_HOST = 1, 2, 3


def lies_on_device(array) -> bool:
    """Whether the numbers of an array are beyond the processor's reach."""
    if isinstance(array, np.ndarray) or not hasattr(array, "__dlpack_device__"):
        return False
    return int(array.__dlpack_device__()[0]) not in (_PROCESSOR, _CUDA_HOST)


def check_device_array(estimator, array) -> None:
    """Refuses what cannot be read there."""
    if int(array.__dlpack_device__()[0]) != _CUDA:
        raise TypeError(
            "precomputed kernels lie on a device that is no GPU of NVIDIA; copy them to the processor, as NumPy arrays"
        )
    if estimator.device == "cpu":
        raise ValueError(
            "precomputed kernels lie on a GPU, but device is 'cpu'; use device='cuda', or copy them to the processor, as "
            "NumPy arrays"
        )

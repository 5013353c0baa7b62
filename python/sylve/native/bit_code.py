"""The functions of `sylve.bits` for Numba: one instruction each."""

from __future__ import annotations

from typing import Any

from sylve.bits import count_bits, lowest_bit, nth_bit


def substitutes(numba: Any) -> dict[int, Any]:
    """What stands for each of these functions in compiled code, by its identity."""
    from llvmlite import binding, ir
    from numba.extending import intrinsic

    word, number = numba.uint64, numba.int64
    uint64 = ir.IntType(64)

    def _count(_: Any, bits: Any) -> Any:  # noqa: ARG001
        return number(word), lambda _context, builder, _signature, given: builder.ctpop(given[0])

    def _lowest(_: Any, bits: Any) -> Any:  # noqa: ARG001
        def lower(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
            return builder.cttz(given[0], ir.Constant(ir.IntType(1), 0))

        return number(word), lower

    def _deposit(_: Any, bits: Any, mask: Any) -> Any:  # noqa: ARG001
        def lower(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
            kind = ir.FunctionType(uint64, [uint64, uint64])
            pdep = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), kind)
            return builder.call(pdep, given)

        return word(word, word), lower

    count, lowest, deposit = (intrinsic(made) for made in (_count, _lowest, _deposit))

    def by_instruction(bits: Any, n: Any) -> Any:
        return lowest(deposit(word(1) << word(n), bits)) if 0 <= n < 64 else 64

    def by_loop(bits: Any, n: Any) -> Any:
        for _ in range(n):
            bits &= bits - word(1) if bits else word(0)
        return lowest(bits)

    quick = bool(binding.get_host_cpu_features().get("bmi2"))
    nth = numba.njit(by_instruction if quick else by_loop)
    return {id(count_bits): count, id(lowest_bit): lowest, id(nth_bit): nth}

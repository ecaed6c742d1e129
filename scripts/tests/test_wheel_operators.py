"""Operators in the headers of small made wheels."""

from pathlib import Path

from made_wheels import opened

from torchnotes.wheel.operators import operators

QR = """
namespace at::_ops {
struct TORCH_API linalg_qr {
  using schema = ::std::tuple<at::Tensor,at::Tensor> (const at::Tensor &, std::string_view);
  static constexpr const char* name = "aten::linalg_qr";
  static constexpr const char* overload_name = "";
  static constexpr const char* schema_str = "linalg_qr(Tensor A, str mode='reduced') -> (Tensor Q, Tensor R)";
};

struct TORCH_API linalg_qr_out {
  static constexpr const char* name = "aten::linalg_qr";
  static constexpr const char* overload_name = "out";
  static constexpr const char* schema_str = "linalg_qr.out(Tensor A, *, Tensor(a!) Q) -> Tensor(a!) Q";
};
}
"""
EIGH = 'struct X { const char* name = "aten::eigh"; const char* schema_str = "eigh(str UPLO=\\"L\\") -> Tensor"; };'
UNFINISHED = """
struct A { static constexpr const char* name = "aten::lost"; };
struct B { static constexpr const char* schema_str = "kept(Tensor self) -> Tensor"; };
"""


def _found(folder: Path, files: dict[str, str | bytes]) -> dict[str, str]:
    with opened(folder, files) as archive:
        return dict(operators(archive))


def test_each_overload_has_its_schema(tmp_path: Path) -> None:
    assert _found(tmp_path, {"torch/include/ATen/ops/linalg_qr_ops.h": QR}) == {
        "aten::linalg_qr": "linalg_qr(Tensor A, str mode='reduced') -> (Tensor Q, Tensor R)",
        "aten::linalg_qr.out": "linalg_qr.out(Tensor A, *, Tensor(a!) Q) -> Tensor(a!) Q",
    }


def test_escapes_are_what_they_stand_for(tmp_path: Path) -> None:
    assert _found(tmp_path, {"torch/include/ATen/ops/eigh_ops.h": EIGH}) == {
        "aten::eigh": 'eigh(str UPLO="L") -> Tensor'
    }


def test_only_operator_headers_count(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "torch/include/ATen/ops/linalg_qr.h": QR,
        "torch/include/ATen/linalg_qr_ops.h": QR,
        "torch/include/ATen/ops/linalg_qr_ops.h.in": QR,
    }
    assert _found(tmp_path, files) == {}


def test_a_name_never_takes_the_schema_of_the_next_operator(tmp_path: Path) -> None:
    assert _found(tmp_path, {"torch/include/ATen/ops/lost_ops.h": UNFINISHED}) == {}


def test_order_is_that_of_the_names(tmp_path: Path) -> None:
    found = _found(tmp_path, {"torch/include/ATen/ops/linalg_qr_ops.h": QR, "torch/include/ATen/ops/eigh_ops.h": EIGH})
    assert list(found) == ["aten::eigh", "aten::linalg_qr", "aten::linalg_qr.out"]

"""Reading the types of the model: which shapes a value of a type can have. Knows no value."""

from types import NoneType
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel


def models_in(annotation: Any) -> tuple[type[BaseModel], ...]:
    """Every model class that a value of this type, or an item of it, can be; in the order written."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return (annotation,)
    if annotation in (None, NoneType, Ellipsis) or isinstance(annotation, str):
        return ()
    args = get_args(annotation)
    if get_origin(annotation) is Annotated:
        args = args[:1]
    return tuple(model for arg in args for model in models_in(arg))

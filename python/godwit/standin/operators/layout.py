"""Types, formats and shapes. Every tensor of the emulation is ND: a format cast gives back its tensor."""
import torch

from godwit.standin.operators import operator, refuse_arguments


@operator("npu_format_cast", "_npu_format_cast", differentiable=False)
def npu_format_cast(self, acl_format, customize_dtype=None, input_dtype=None):
    return self.view_as(self)


@operator("npu_format_cast_", differentiable=False)
def npu_format_cast_(self, acl_format, customize_dtype=None, input_dtype=None):
    return self


@operator("npu_dtype_cast", "_npu_dtype_cast", differentiable=False)
def npu_dtype_cast(self, dtype, input_dtype=None):
    return self.to(dtype)


@operator("npu_dtype_cast_", differentiable=False)
def npu_dtype_cast_(self, src):
    return self.copy_(src)


@operator("npu_confusion_transpose")
def npu_confusion_transpose(self, perm, shape, transpose_first):
    if transpose_first:
        return self.permute(perm).reshape(shape)
    return self.reshape(shape).permute(perm).contiguous()


@operator("npu_transpose")
def npu_transpose(self, perm, require_contiguous=True):
    return self.permute(perm).contiguous()


@operator("npu_reshape")
def npu_reshape(self, shape, can_refresh=False):
    return self.reshape(shape).clone()


@operator("npu_broadcast")
def npu_broadcast(self, size):
    return self.expand(size).contiguous()


@operator("npu_slice")
def npu_slice(self, offsets, size):
    part = self
    for dim, (begin, length) in enumerate(zip(offsets, size)):
        part = part.narrow(dim, begin, length)
    return part.clone()


@operator("npu_pad")
def npu_pad(input, paddings):
    """Pairs before and behind, the first dimension first: torch counts from the last."""
    pairs = [paddings[i:i + 2] for i in range(0, len(paddings), 2)]
    return torch.nn.functional.pad(input, [n for pair in reversed(pairs) for n in pair])


@operator("npu_indexing")
def npu_indexing(self, begin, end, strides, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0):
    refuse_arguments("npu_indexing", begin_mask=begin_mask or None, end_mask=end_mask or None,
                     ellipsis_mask=ellipsis_mask or None, new_axis_mask=new_axis_mask or None,
                     shrink_axis_mask=shrink_axis_mask or None)
    return self[tuple(slice(*each) for each in zip(begin, end, strides))].clone()


@operator("npu_view_copy", differentiable=False)
def npu_view_copy(self, other, non_blocking):
    return self.copy_(other)


@operator("one_", differentiable=False)
def one_(self):
    return self.fill_(1)


@operator("npu_one_hot", differentiable=False)
def npu_one_hot(self, num_classes=-1, depth=1, on_value=1, off_value=0):
    """`num_classes` is the axis that the classes take, by the name torch_npu gives it."""
    classes = torch.arange(depth, device=self.device)
    hot = self.unsqueeze(-1) == classes
    result = torch.where(hot, float(on_value), float(off_value))
    return result if num_classes == -1 else result.movedim(-1, num_classes)


@operator("scatter_update", differentiable=False)
def scatter_update(self, indices, updates, axis):
    return write_at(self.clone(), indices, updates, axis)


@operator("scatter_update_", differentiable=False)
def scatter_update_(self, indices, updates, axis):
    return write_at(self, indices, updates, axis)


def write_at(target, indices, updates, axis: int):
    """Entry i of the batch gets its update from place indices[i] of the axis on: a step of a key-value cache."""
    axis = axis % target.dim()
    for i, begin in enumerate(indices.tolist()):
        target[i].narrow(axis - 1, begin, updates.shape[axis]).copy_(updates[i])
    return target


@operator("npu_scatter_nd_update", differentiable=False)
def npu_scatter_nd_update(self, indices, updates):
    return self.clone().index_put_(tuple(indices.long().unbind(-1)), updates)


@operator("npu_scatter_nd_update_", differentiable=False)
def npu_scatter_nd_update_(self, indices, updates):
    return self.index_put_(tuple(indices.long().unbind(-1)), updates)

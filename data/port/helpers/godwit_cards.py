"""Several cards, one process for each, started by torchrun. Written by `godwit port --cards`.

The rest of the program says `start()` first, takes its training loaders from training_loader(), its
model from share() or transparent(), and writes files through save() and open(). Run without
torchrun it is a group of one card.
"""
import atexit
import builtins
import logging
import os
import random
import sys

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

# [collectives]
import godwit_collectives
# [end]
# [npu]
import torch_npu

_TYPE, _BACKEND = "npu", "hccl"
# [portable]

try:
    import torch_npu
    _is_npu = torch.npu.is_available()
except ImportError:
    _is_npu = False

if _is_npu:
    _TYPE, _BACKEND = "npu", "hccl"
elif torch.cuda.is_available():
    _TYPE, _BACKEND = "cuda", "nccl"
else:
    _TYPE, _BACKEND = "cpu", "gloo"
# [end]

_shared = []
_is_training = False


def start(backend=_BACKEND):
    """Takes the card of this process and joins the group: the first statement of a program."""
    if dist.is_initialized():
        return
    # [npu]
    torch.npu.set_device(local_rank())
    # [portable]
    if _TYPE != "cpu":
        getattr(torch, _TYPE).set_device(local_rank())
    # [end]
    if "WORLD_SIZE" in os.environ:
        dist.init_process_group(backend)
    else:
        dist.init_process_group(backend, store=dist.HashStore(), rank=0, world_size=1)
    atexit.register(dist.destroy_process_group)
    _agree_on_seed()
    if not is_first():
        # What every card would say is said once; warnings and errors are heard from all.
        builtins.print = lambda *words, **options: None
        logging.disable(logging.INFO)
        os.environ["WANDB_MODE"] = "disabled"


def local_rank():
    """The number of this process's card on this machine."""
    return int(os.environ.get("LOCAL_RANK", "0"))


def rank():
    return dist.get_rank() if dist.is_initialized() else 0


def count():
    return dist.get_world_size() if dist.is_initialized() else 1


def is_first():
    return rank() == 0


def _device():
    # [npu]
    return torch.device("npu", local_rank()) if torch.npu.is_available() else torch.device("cpu")
    # [portable]
    return torch.device("cpu") if _TYPE == "cpu" else torch.device(_TYPE, local_rank())
    # [end]


def _seed_all(seed):
    torch.manual_seed(seed)
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed % 2**32)


def _agree_on_seed():
    # A program that sets no seed would split its data or draw its weights differently on each card.
    mine = torch.tensor([torch.initial_seed() % 2**62], dtype=torch.int64, device=_device())
    seeds = [torch.empty_like(mine) for _ in range(count())]
    dist.all_gather(seeds, mine)
    _seed_all(int(seeds[0]))


def _options():
    options = {}
    if _device().type != "cpu":
        options["device_ids"] = [local_rank()]
    # [collectives]
    options["process_group"] = godwit_collectives.group()
    # [end]
    return options


def _share(wrapper, model, sync_batchnorm):
    if not any(each.requires_grad for each in model.parameters()):
        return model
    if _device().type != "cpu":
        model = model.to(_device())
    if sync_batchnorm:
        model = torch.nn.SyncBatchNorm.convert_sync_batchnorm(model)
    shared = wrapper(model, **_options())
    _shared.append(shared)
    return shared


def share(model, sync_batchnorm=False):
    """In place of DataParallel: each card has a copy, their gradients are averaged."""
    return _share(DistributedDataParallel, model, sync_batchnorm)


def transparent(model, sync_batchnorm=False):
    """As share(), for code that knows of no wrapper: attributes and checkpoints stay as they were."""
    return _share(_Transparent, model, sync_batchnorm)


class _Transparent(DistributedDataParallel):
    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            if name == "module":
                raise
            return getattr(self.module, name)

    def state_dict(self, *arguments, **options):
        return self.module.state_dict(*arguments, **options)

    def load_state_dict(self, *arguments, **options):
        return self.module.load_state_dict(*arguments, **options)

    def named_parameters(self, *arguments, **options):
        return self.module.named_parameters(*arguments, **options)


def per_card(batch_size):
    """This card's part of a batch: all cards together take `batch_size` samples, as before."""
    if batch_size % count():
        raise ValueError(f"a batch of {batch_size} cannot be split over {count()} cards")
    return batch_size // count()


def training_loader(dataset, batch_size=1, shuffle=None, *others, drop_last=False, **options):
    """A DataLoader of this card's part of the samples; all others get the arguments as they are."""
    if others or options.get("sampler") is not None or options.get("batch_sampler") is not None:
        raise TypeError("a loader with a sampler of its own cannot be shared out")
    sampler = DistributedSampler(dataset, count(), rank(), shuffle=bool(shuffle),
                                 seed=torch.initial_seed() % 2**31, drop_last=drop_last)
    return DataLoader(dataset, per_card(batch_size), sampler=sampler, drop_last=drop_last, **options)


def set_epoch(loader, epoch=None):
    """Before each pass over a training loader: another order, and the same one on all cards."""
    global _is_training
    if not _is_training:
        _is_training = True
        if count() > 1 and not _shared:
            raise RuntimeError("the model is not shared between the cards: each would train its own")
        if rank():  # From here on each card draws its own noise, dropout and augmentation.
            _seed_all(torch.initial_seed() + rank())
    sampler = getattr(loader, "sampler", None)
    if isinstance(sampler, DistributedSampler):
        sampler.passes = getattr(sampler, "passes", -1) + 1
        sampler.set_epoch(sampler.passes if epoch is None else epoch)


def passes(loader):
    """In place of iter(loader): the order of this pass is made when its first batch is drawn."""
    set_epoch(loader)
    yield from loader


class each_pass:
    """The loader for a loop that never ends: each pass over it has an order of its own."""

    def __init__(self, loader):
        self.loader = loader

    def __iter__(self):
        return passes(self.loader)

    def __len__(self):
        return len(self.loader)


def sync_when(model, is_step):
    """Between two steps of the optimizer gradients stay on their card and are only added up."""
    if isinstance(model, DistributedDataParallel):
        model.require_backward_grad_sync = bool(is_step)


def _bare(value):
    if isinstance(value, _Transparent):
        return value.module
    return {key: _bare(each) for key, each in value.items()} if type(value) is dict else value


def save(value, *arguments, **options):
    """torch.save, on the first card only; a whole model is saved as it was before it was shared."""
    if is_first():
        torch.save(_bare(value), *arguments, **options)


def open(file, mode="r", *arguments, **options):
    """The file; what other cards than the first write goes nowhere."""
    is_written = any(sign in mode for sign in "wax+")
    return builtins.open(os.devnull if is_written and not is_first() else file, mode, *arguments, **options)


class _Silent:
    """Stands for an object that writes: it takes every call and does nothing."""

    def __init__(self, *arguments, **options):
        pass

    def __getattr__(self, name):
        return lambda *arguments, **options: None

    def __call__(self, *arguments, **options):
        return None

    def __enter__(self):
        return self

    def __exit__(self, *reason):
        return False


def first_card(writer):
    """What writes (a class, a function) on the first card; what takes the same and writes nothing elsewhere."""
    return writer if is_first() else _Silent

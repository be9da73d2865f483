"""The emulated device as a script sees it: cards, tensors, streams, random numbers, saving, mistakes."""
import io
import multiprocessing
import threading
import unittest

import torch

import emulated

emulated.activate()


def in_child(queue):
    """What a worker process forked after first use meets."""
    try:
        torch.ones(2, device="npu")
        queue.put("worked")
    except RuntimeError as error:
        queue.put(str(error))


def gradient(view, device):
    """Of a function of what a view shows, after it was written through; what torch says where it cannot."""
    x = torch.arange(12.0).to(device).requires_grad_()
    try:
        y = view(x * 2)
        y.mul_(1.5)
        (y * y).sum().backward()
    except RuntimeError as error:
        return str(error)
    return x.grad.tolist()


class Sums(torch.utils.data.Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.full((2,), float(index))


class OnTheCard(Sums):
    def __getitem__(self, index):
        return super().__getitem__(index).npu()


class DeviceTest(unittest.TestCase):
    def test_arithmetic(self):
        x = torch.ones(3, device="npu")
        self.assertEqual(str(x + x), "tensor([2., 2., 2.], device='npu:0')")
        self.assertTrue(x.is_npu)
        self.assertEqual((x.npu() * 2).sum().item(), 6)
        self.assertEqual(torch.npu.device_count(), 4)

    def test_cards(self):
        x = torch.arange(4, device="npu:2")
        self.assertEqual(str((x + 1).device), "npu:2")
        with torch.npu.device(3):
            self.assertEqual(str(torch.empty(1, device="npu").device), "npu:3")
        self.assertEqual(torch.npu.current_device(), 0)
        self.assertEqual(str(x.to("npu:1").device), "npu:1")
        with self.assertRaisesRegex(RuntimeError, "npu:4"):
            torch.ones(1, device="npu:4")

    def test_views_share_storage(self):
        x = torch.zeros(4, 6, device="npu")
        x.t()[1:3].add_(1)
        x.unfold(0, 2, 2).mul_(2)
        torch.view_as_real(torch.zeros(2, dtype=torch.complex64, device="npu")).fill_(1)
        self.assertEqual(x.sum().item(), 16)
        self.assertEqual(x[:, 1:3].sum().item(), 16)
        self.assertEqual(x.diagonal().data_ptr(), x.data_ptr())

    def test_moving_a_module_keeps_its_parameters(self):
        """As torch_npu does: an optimizer made before the move trains what the module has."""
        net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 2))
        before = list(net.parameters())
        optimizer = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9)
        net(torch.ones(2, 3)).sum().backward()  # gradients move along
        net.to("npu")
        self.assertTrue(all(old is new for old, new in zip(before, net.parameters())))
        self.assertEqual({str(p.device) for p in before} | {str(p.grad.device) for p in before}, {"npu:0"})
        started = net[2].weight.detach().cpu().clone()
        optimizer.zero_grad()
        net(torch.randn(5, 3).npu()).pow(2).sum().backward()
        optimizer.step()
        self.assertFalse(torch.equal(net[2].weight.detach().cpu(), started))
        net.cpu()
        self.assertIs(net[2].weight, before[-2])
        self.assertEqual(str(before[0].grad.device), "cpu")
        tensor = torch.ones(3)
        tensor.data = torch.zeros(3, device="npu")
        self.assertEqual(str(tensor.device), "npu:0")
        with self.assertRaisesRegex(RuntimeError, "incompatible tensor type"):
            tensor.data = torch.ones(3).to_sparse()

    def test_modules_that_do_not_know_their_sizes_move(self):
        for move in (lambda net: net.npu(), lambda net: net.to("npu")):
            net = move(torch.nn.LazyLinear(3))
            self.assertEqual(net(torch.ones(1, 4, device="npu")).shape, (1, 3))
            self.assertEqual(str(net.weight.device), "npu:0")

    def test_out_and_resize(self):
        x = torch.arange(6.0, device="npu")
        out = torch.empty(0, device="npu")
        torch.add(x, 1, out=out)
        self.assertEqual(out.tolist(), [1, 2, 3, 4, 5, 6])
        out.resize_(2, 2)
        self.assertEqual(out.shape, (2, 2))
        x.untyped_storage().resize_(48)
        self.assertEqual(x.untyped_storage().nbytes(), 48)

    def test_mixed_devices(self):
        x = torch.ones(2, 2, device="npu")
        with self.assertRaisesRegex(RuntimeError, "same device.*npu:0 and cpu"):
            x + torch.ones(2, 2)
        with self.assertRaisesRegex(RuntimeError, "same device.*npu"):
            x @ torch.ones(2, 2, device="npu:1")
        self.assertEqual((x + torch.tensor(1.0)).sum().item(), 8)
        self.assertEqual(x[torch.tensor([0])].tolist(), [[1, 1]])

    def test_sparse_and_quantised_are_refused_by_name(self):
        x = torch.ones(2, 2, device="npu")
        with self.assertRaisesRegex((RuntimeError, NotImplementedError), "dense tensors only"):
            x.to_sparse()
        with self.assertRaisesRegex((RuntimeError, NotImplementedError), "dense tensors only"):
            torch.quantize_per_tensor(x, 0.1, 0, torch.qint8)

    def test_save_and_load(self):
        buffer = io.BytesIO()
        torch.save({"w": torch.arange(3.0, device="npu:1")}, buffer)
        for place, device in ((None, "npu:1"), ("npu:2", "npu:2"), ("cpu", "cpu")):
            buffer.seek(0)
            loaded = torch.load(buffer, map_location=place)["w"]
            self.assertEqual((str(loaded.device), loaded.tolist()), (device, [0, 1, 2]))

    def test_random_numbers_of_a_card(self):
        torch.manual_seed(1)
        host = torch.rand(3)
        torch.manual_seed(1)
        first = torch.rand(3, device="npu")
        self.assertEqual(torch.rand(3).tolist(), host.tolist())  # drawing on a card leaves the host's alone
        state = torch.npu.get_rng_state()
        second = torch.nn.functional.dropout(torch.ones(99, device="npu"))
        torch.npu.set_rng_state(state)
        self.assertTrue(torch.equal(second, torch.nn.functional.dropout(torch.ones(99, device="npu"))))
        own = torch.Generator(device="npu").manual_seed(1)
        self.assertEqual(torch.rand(3, device="npu", generator=own).tolist(), first.tolist())
        torch.npu.manual_seed_all(5)
        self.assertEqual(torch.rand(1, device="npu:0").item(), torch.rand(1, device="npu:3").item())

    def test_streams_and_events(self):
        stream = torch.npu.Stream(device="npu")
        start, end = torch.npu.Event(enable_timing=True), torch.npu.Event(enable_timing=True)
        start.record()
        with torch.npu.stream(stream):
            self.assertEqual(torch.npu.current_stream().stream_id, stream.stream_id)
            torch.ones(100, device="npu").sum()
        self.assertNotEqual(torch.npu.current_stream().stream_id, stream.stream_id)
        end.record()
        end.synchronize()
        self.assertGreater(start.elapsed_time(end), 0)
        self.assertTrue(end.query())
        torch.npu.synchronize()

    def test_pinned_memory(self):
        pinned = torch.ones(4).pin_memory()
        self.assertTrue(pinned.is_pinned())
        self.assertFalse(torch.ones(4).is_pinned())
        self.assertEqual(pinned.to("npu", non_blocking=True).sum().item(), 4)

    def test_data_loader(self):
        torch.ones(1, device="npu")
        for batch in torch.utils.data.DataLoader(Sums(), 4, num_workers=2):
            self.assertEqual(batch.to("npu").shape, (4, 2))
        for batch in torch.utils.data.DataLoader(Sums(), 4, pin_memory=True):
            self.assertTrue(batch.is_pinned())

    def test_a_loader_worker_that_touches_the_device_says_so(self):
        torch.ones(1, device="npu")
        with self.assertRaisesRegex(RuntimeError, "forked subprocess"):
            list(torch.utils.data.DataLoader(OnTheCard(), 4, num_workers=1))
        loader = torch.utils.data.DataLoader(Sums(), 4, num_workers=1, persistent_workers=True, pin_memory=True)
        for _ in range(2):
            self.assertEqual(sum(batch.to("npu", non_blocking=True).sum().item() for batch in loader), 56)

    def test_fork_after_use_loses_the_device(self):
        torch.ones(1, device="npu")
        context = multiprocessing.get_context("fork")
        queue = context.Queue()
        child = context.Process(target=in_child, args=(queue,))
        child.start()
        self.assertIn("forked subprocess", queue.get())
        child.join()

    def test_a_tensor_for_another_process_is_refused_by_name(self):
        from multiprocessing.reduction import ForkingPickler
        for shared in (torch.ones(2, device="npu"), torch.nn.Parameter(torch.ones(2, device="npu"))):
            with self.assertRaisesRegex(NotImplementedError, "handed to another process"):
                ForkingPickler.dumps([shared])
        ForkingPickler.dumps(torch.ones(2))

    def test_threads(self):
        results = [None] * 4

        def work(card):
            torch.npu.set_device(card)
            x = torch.full((64, 64), 1.0, device="npu", requires_grad=True)
            for _ in range(20):
                (x @ x).sum().backward()
            results[card] = (str(x.grad.device), x.grad[0, 0].item())

        threads = [threading.Thread(target=work, args=(card,)) for card in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [(f"npu:{card}", 2560.0) for card in range(4)])

    def test_backward_over_cards(self):
        first = torch.nn.Linear(4, 4).to("npu:0")
        second = torch.nn.Linear(4, 2).to("npu:1")
        second(first(torch.ones(3, 4, device="npu:0")).to("npu:1")).sum().backward()
        self.assertEqual(str(first.weight.grad.device), "npu:0")
        self.assertEqual(str(second.weight.grad.device), "npu:1")

    def test_checkpoint_draws_the_same_numbers_again(self):
        from torch.utils.checkpoint import checkpoint
        for reentrant in (True, False):
            x = torch.ones(64, device="npu", requires_grad=True)
            y = checkpoint(lambda t: torch.nn.functional.dropout(t) * 3, x, use_reentrant=reentrant)
            y.sum().backward()
            self.assertTrue(torch.equal(x.grad, y.detach()))

    def test_gradients_against_differences(self):
        x = torch.rand(3, 4, dtype=torch.double, device="npu", requires_grad=True)
        self.assertTrue(torch.autograd.gradcheck(lambda t: torch.softmax(t.t().unfold(0, 2, 1) @ t[:2].exp()[:, :3].t()[:3, :2].t(), -1), x))

    def test_gradients_of_views(self):
        views = [lambda x: x.as_strided((2, 3), (1, 2)), lambda x: x.unfold(0, 3, 2), lambda x: x.view(2, -1).t()[1:],
                 lambda x: torch.view_as_complex(x.view(-1, 2)).abs(), lambda x: x.expand(3, -1), lambda x: x[::2].flip(0),
                 lambda x: x.view(torch.int32), lambda x: x.view(2, 6).diagonal(), lambda x: x.split(5)[1],
                 lambda x: torch.stack(x.unbind()[2:4]), lambda x: x.view(3, 4).movedim(0, 1).reshape(-1)]
        for number, view in enumerate(views):
            with self.subTest(number):
                self.assertEqual(gradient(view, "npu"), gradient(view, "cpu"))

    def test_compile_eager(self):
        step = torch.compile(lambda x: torch.relu(x) * 2, backend="eager")
        self.assertEqual(step(torch.tensor([-1.0, 2.0], device="npu")).tolist(), [0, 4])


class AutocastTest(unittest.TestCase):
    def test_policies(self):
        x = torch.rand(4, 4, device="npu")
        with torch.autocast("npu", dtype=torch.float16):
            self.assertEqual((x @ x).dtype, torch.float16)
            self.assertEqual(torch.exp(x.half()).dtype, torch.float32)
            self.assertEqual(torch.softmax(x.half(), 0).dtype, torch.float32)
            self.assertEqual(torch.addcmul(x.half(), x, x).dtype, torch.float32)
            self.assertEqual((x.half() + 1).dtype, torch.float16)
            with self.assertRaisesRegex(RuntimeError, "unsafe to autocast"):
                torch.nn.functional.binary_cross_entropy(x, x)
        self.assertEqual((x @ x).dtype, torch.float32)

    def test_scaler_skips_an_overflowed_step(self):
        weight = torch.nn.Parameter(torch.ones(2, device="npu"))
        optimizer = torch.optim.SGD([weight], 0.5)
        scaler = torch.amp.GradScaler("npu", init_scale=4.0)
        scaler.scale((weight * 2).sum()).backward()
        scaler.step(optimizer)
        scaler.update()
        self.assertEqual(weight.tolist(), [0, 0])
        optimizer.zero_grad()
        scaler.scale((weight * float("inf")).sum()).backward()
        scaler.step(optimizer)
        scaler.update()
        self.assertEqual((weight.tolist(), scaler.get_scale()), ([0, 0], 2.0))


if __name__ == "__main__":
    unittest.main()

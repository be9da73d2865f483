"""Accounts of memory: what is counted, when there is no room, and which module held what at the peak."""
import unittest

import torch

import emulated

MIB = 2**20
emulated.activate(memory=64 * MIB)


def block(mib, card=0):
    return torch.empty(mib * MIB, dtype=torch.uint8, device=f"npu:{card}")


class MemoryTest(unittest.TestCase):
    def test_allocated_rises_and_falls(self):
        before = torch.npu.memory_allocated()
        kept = block(3)
        view = kept[1:]
        self.assertEqual(torch.npu.memory_allocated() - before, 3 * MIB)
        del kept
        self.assertEqual(torch.npu.memory_allocated() - before, 3 * MIB)
        del view
        self.assertEqual(torch.npu.memory_allocated(), before)

    def test_results_of_operators_count(self):
        x = block(2)
        before = torch.npu.memory_allocated()
        y = x + 1
        self.assertEqual(torch.npu.memory_allocated() - before, 2 * MIB)
        y.resize_(4 * MIB)
        self.assertEqual(torch.npu.memory_allocated() - before, 4 * MIB)

    def test_cards_have_accounts_of_their_own(self):
        before = torch.npu.memory_allocated(1)
        kept = block(1, card=2)
        self.assertEqual(torch.npu.memory_allocated(1), before)
        self.assertGreaterEqual(torch.npu.memory_allocated(2), kept.numel())

    def test_peak(self):
        torch.npu.reset_peak_memory_stats()
        start = torch.npu.memory_allocated()
        block(5)
        self.assertEqual(torch.npu.max_memory_allocated() - start, 5 * MIB)
        torch.npu.reset_peak_memory_stats()
        self.assertEqual(torch.npu.max_memory_allocated(), torch.npu.memory_allocated())

    def test_no_room(self):
        kept = block(40)
        with self.assertRaises(torch.OutOfMemoryError) as caught:
            block(30)
        text = str(caught.exception)
        for part in ("NPU out of memory. Tried to allocate 30.00 MiB", "NPU 0; 64.00 MiB total capacity",
                     "already allocated", "reserved in total by PyTorch"):
            self.assertIn(part, text)
        with self.assertRaises(torch.OutOfMemoryError):
            kept + 1
        del kept
        self.assertEqual(block(60).numel(), 60 * MIB)

    def test_free_and_total(self):
        torch.npu.empty_cache()
        free, total = torch.npu.mem_get_info()
        self.assertEqual(total, 64 * MIB)
        self.assertLessEqual(free, total)
        self.assertEqual(free, total - torch.npu.memory_reserved())

    def test_error_names_the_module(self):
        class Greedy(torch.nn.Module):
            def forward(self, x):
                return x.repeat(1000)

        model = torch.nn.Sequential(torch.nn.Identity(), Greedy())
        with self.assertRaisesRegex(torch.OutOfMemoryError, "In module 1"):
            model(block(1))

    def test_peak_by_module(self):
        class Wide(torch.nn.Module):
            def forward(self, x):
                return x.repeat(8)

        model = torch.nn.Sequential(Wide(), torch.nn.Identity())
        before = block(1)  # not recorded, and freed while others are
        torch.npu.reset_peak_memory_stats()
        torch.npu._record_memory_history()
        try:
            del before
            kept = model(block(3))
        finally:
            torch.npu._record_memory_history(None)
        card = torch.npu.memory_snapshot()[0]
        self.assertEqual(card["peak_module"], "0")
        held = {row["module"]: row["bytes_at_peak"] for row in card["modules"]}
        self.assertEqual((held["0"], held[""]), (24 * MIB, 3 * MIB))
        self.assertIn("peak reached in 0", torch.npu.memory_summary())
        del kept


if __name__ == "__main__":
    unittest.main()

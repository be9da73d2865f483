"""What the Python side says, in English and Chinese; GODWIT_LANG, which `godwit --lang` sets, or the locale chooses."""
import os

LANGUAGES = ("en", "zh")
TEXTS = {
    "baseline.stopped": ("the baseline stopped: {path}: {reason}\n"
                         "  help: free some space, or record to another folder; the steps until then can be read",
                         "基线记录已停止：{path}：{reason}\n"
                         "  帮助：腾出磁盘空间，或记录到别的目录；此前的各步仍可读取"),
    "build.no_compiler": ("no C++ compiler: this part of godwit is compiled once for the installed PyTorch.\n"
                          "  help: apt-get install g++   (openEuler, Kylin, CentOS: yum install gcc-c++), "
                          "or set CXX to a compiler",
                          "没有 C++ 编译器：godwit 的这一部分要为已安装的 PyTorch 编译一次。\n"
                          "  帮助：apt-get install g++（openEuler、麒麟、CentOS：yum install gcc-c++），"
                          "或把 CXX 设为某个编译器"),
    "build.cache": ("cannot write to {path}: {reason}\n  help: set GODWIT_CACHE to a folder that can be written",
                    "无法写入 {path}：{reason}\n  帮助：把 GODWIT_CACHE 设为可写的目录"),
    "build.compile": ("{file} does not compile", "{file} 编译失败"),
    "build.link": ("the extension does not link", "扩展库链接失败"),
    "build.progress": ("godwit: building for this PyTorch, {done} of {all} files, {seconds} s",
                       "godwit：正在为此 PyTorch 编译，第 {done} 个文件，共 {all} 个，{seconds} 秒"),
    "device.autocast_unsafe": ("{operator} is unsafe to autocast: torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss "
                               "take probabilities that fp16 cannot hold\n"
                               "  help: use binary_cross_entropy_with_logits or BCEWithLogitsLoss",
                               "{operator} 不能用于 autocast：torch.nn.functional.binary_cross_entropy 和 torch.nn.BCELoss "
                               "的输入是概率，fp16 表示不了\n"
                               "  帮助：改用 binary_cross_entropy_with_logits 或 BCEWithLogitsLoss"),
    "device.cards": ("an emulated device has 1 to 64 cards, not {found}", "仿真设备有 1 到 64 张卡，不能是 {found}"),
    "device.dense_argument": ("the emulated device has dense tensors only: {operator} was called with a sparse or quantised tensor\n"
                              "  help: keep it on the host (.cpu())",
                              "仿真设备只支持稠密张量：{operator} 的输入是稀疏或量化张量\n"
                              "  帮助：把它留在主机上（.cpu()）"),
    "device.dense_creation": ("the emulated device has dense tensors only, not {layout}\n"
                              "  help: make it on the host (device=\"cpu\")",
                              "仿真设备只支持稠密张量，不支持 {layout}\n"
                              "  帮助：在主机上创建（device=\"cpu\"）"),
    "device.dense_result": ("the emulated device has dense tensors only: {operator} gives a sparse or quantised tensor\n"
                            "  help: do it on the host (.cpu())",
                            "仿真设备只支持稠密张量：{operator} 的结果是稀疏或量化张量\n"
                            "  帮助：在主机上计算（.cpu()）"),
    "device.sharing": ("tensors of the emulated device cannot be handed to another process: their memory is private\n"
                       "  help: hand over tensor.cpu(), or the arguments with which the other process makes its own",
                       "仿真设备的张量不能交给另一个进程：其内存是进程私有的\n"
                       "  帮助：传递 tensor.cpu()，或传递参数，让对方进程自己创建"),
    "dump.stopped": ("the dump stopped: {path}: {reason}\n"
                     "  help: free some space, or dump fewer steps, parts or modules, or sketches (level=\"sketch\")\n"
                     "  what was written until then can be read",
                     "转储已停止：{path}：{reason}\n"
                     "  帮助：腾出磁盘空间，或减少步、部分或模块，或只记录概要（level=\"sketch\"）\n"
                     "  此前写入的内容仍可读取"),
    "dump.choice": ("{name}={found}: expected {known}", "{name}={found}：应为 {known}"),
    "dump.nothing": ("nothing", "空"),
    "dump.steps": ("steps=\"{found}\": expected numbers from 1 on and ranges, such as \"1-3,10\"",
                   "steps=\"{found}\"：应为从 1 起的数字和范围，例如 \"1-3,10\""),
    "emulate.active": ("an emulated device is already active in this process; start another one for another profile",
                       "此进程已有一个仿真设备；要用另一套配置，请另起一个进程"),
    "emulate.no_torch": ("the emulated device needs PyTorch 2.1 or newer (pip install torch)",
                         "仿真设备需要 PyTorch 2.1 或更新版本（pip install torch）"),
    "emulate.old_torch": ("the emulated device needs PyTorch 2.1 or newer, found {found}",
                          "仿真设备需要 PyTorch 2.1 或更新版本，找到的是 {found}"),
    "emulate.real": ("the real torch_npu is installed ({path}): two devices named npu cannot live in one process",
                     "已安装真正的 torch_npu（{path}）：一个进程里不能有两个名为 npu 的设备"),
    "emulate.backend": ("another backend already is PrivateUse1: {name}", "PrivateUse1 已被另一个后端占用：{name}"),
    "emulate.report": ("godwit emulate: the report could not be written: {path}: {reason}",
                       "godwit emulate：报告写入失败：{path}：{reason}"),
    "export.opset": ("opset {found} is asked for\n  help: ask for {oldest} or newer; godwit and ATC can read it",
                     "要求的是 opset {found}\n  帮助：请用 {oldest} 或更新的版本；godwit 和 ATC 都能读"),
    "export.no_inputs": ("nothing says what goes into the model\n"
                         "  help: give --inputs NAME=SHAPE[:TYPE] for each input, or return (model, inputs) from the function",
                         "没有说明模型的输入\n"
                         "  帮助：为每个输入给出 --inputs 名称=形状[:类型]，或让函数返回 (model, inputs)"),
    "export.failed": ("PyTorch could not export the model: {reason}\n"
                      "  help: the place in the model is in the message above; fixed sizes, or another way to write it, often help",
                      "PyTorch 无法导出该模型：{reason}\n"
                      "  帮助：上面的信息给出了模型中的位置；改用固定形状，或换一种写法，往往可行"),
    "export.invalid": ("what the exporter wrote is no valid model: {reason}", "导出的文件不是合法的模型：{reason}"),
    "export.inputs_differ": ("the inputs are {given}, but the model takes {expected}\n"
                             "  help: --inputs names the parameters of forward",
                             "给出的输入是 {given}，而模型接受 {expected}\n"
                             "  帮助：--inputs 用的是 forward 的参数名"),
    "export.factory": ("{target} failed: {reason}", "{target} 执行失败：{reason}"),
    "export.other_opset": ("the exporter gave opset {found} where {asked} was asked for\n"
                           "  help: ask for --opset {found}",
                           "要求的是 opset {asked}，导出器给出的是 {found}\n"
                           "  帮助：请用 --opset {found}"),
    "export.packages": ("{names}: not installed for {python}\n  help: {python} -m pip install {names}",
                        "{names}：{python} 没有安装\n  帮助：{python} -m pip install {names}"),
    "export.target": ("{found}: expected FILE.py:FUNCTION, such as train.py:make_model",
                      "{found}：应为 文件.py:函数，例如 train.py:make_model"),
    "export.no_file": ("{path} is not there", "{path} 不存在"),
    "export.no_function": ("{path} has no function {name}\n  help: it has {known}",
                           "{path} 没有函数 {name}\n  帮助：它有 {known}"),
    "export.none": ("none", "（无）"),
    "export.no_module": ("{target} gave {found}\n  help: return a torch.nn.Module, or (model, inputs)",
                         "{target} 返回的是 {found}\n  帮助：请返回 torch.nn.Module，或 (model, inputs)"),
    "export.input": ("--inputs {found}: expected NAME=SHAPE[:TYPE], such as ids=batch,128:int64",
                     "--inputs {found}：应为 名称=形状[:类型]，例如 ids=batch,128:int64"),
    "export.type": ("--inputs {name}: {found} is no type of PyTorch, such as float32, int64, bool",
                    "--inputs {name}：{found} 不是 PyTorch 的类型，类型例如 float32、int64、bool"),
    "export.error": ("error: {text}", "错误：{text}"),
    "hccl.reinit": ("torch.distributed.reinit_process_group is not emulated: "
                    "destroy_process_group and init_process_group make the links anew",
                    "不仿真 torch.distributed.reinit_process_group："
                    "用 destroy_process_group 和 init_process_group 重建链路"),
    "hccl.seconds": ("{variable}={found} is no number of seconds; {taken} is taken",
                     "{variable}={found} 不是秒数；按 {taken} 处理"),
    "program.missing": ("the program godwit is not at {looked}; install the wheel again with pip",
                        "在 {looked} 找不到程序 godwit；请用 pip 重新安装 wheel"),
    "trace.failed": ("the trace could not be written: {reason}", "算子追踪写入失败：{reason}"),
    "trace.many": ("{path} and 999 like it are there", "{path} 以及另外 999 个同名文件已存在"),
    "trace.folder": ("{path} cannot be written", "{path} 不可写"),
}


def language():
    """"zh" or "en"."""
    for name in ("GODWIT_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return "zh" if value.startswith("zh") else "en"
    return "en"


def texts_of(part):
    """The texts of one part, whose places C++ fills."""
    return {key: both[LANGUAGES.index(language())] for key, both in TEXTS.items() if key.startswith(part + ".")}


def text(key, /, **places):
    return TEXTS[key][LANGUAGES.index(language())].format(**places)

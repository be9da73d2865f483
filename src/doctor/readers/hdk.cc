// Driver and firmware of the NPU: their version.info files, below the folder that the installer
// noted.
#include "base/text.h"
#include "doctor/reader.h"

namespace godwit::doctor::readers {
namespace {

std::string install_folder(const Machine& machine) {
  const std::string notes = machine.read("/etc/ascend_install.info").value_or("");
  const std::string folder = value_of(notes, "Driver_Install_Path_Param");
  return folder.starts_with('/') ? folder : "/usr/local/Ascend";
}

void read(const Machine& machine, Environment& environment) {
  const std::string folder = install_folder(machine);
  const std::string driver_file = folder + "/driver/version.info";
  const std::string driver = machine.read(driver_file).value_or("");
  environment.driver.learn(value_of(driver, "Version"), driver_file);
  environment.driver.learn(value_of(driver, "package_version"), driver_file);
  environment.firmware_range.learn(value_of(driver, "compatible_version_fw"), driver_file);

  // The firmware counts on its own (7.5.0.1.129); package_version is that of the driver kit.
  const std::string firmware_file = folder + "/firmware/version.info";
  const std::string firmware = machine.read(firmware_file).value_or("");
  environment.firmware_number.learn(value_of(firmware, "Version"), firmware_file);
  environment.firmware.learn(value_of(firmware, "package_version"), firmware_file);
  environment.firmware.learn(value_of(firmware, "Version"), firmware_file);
}

}  // namespace

extern const Reader hdk = {.name = "hdk", .read = read};

}  // namespace godwit::doctor::readers

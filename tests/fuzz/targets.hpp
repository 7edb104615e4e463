// One function per file of targets/.
#pragma once

#include "target.hpp"

namespace spicymkl::fuzz {

Target csv_target();
Target tsv_target();
Target libsvm_target();
Target npy_target();
Target npz_target();
Target gzip_target();
Target labels_target();
Target kernel_list_target();
Target groups_target();
Target gmt_target();
Target model_target();
Target checkpoint_target();
Target certificate_target();

}  // namespace spicymkl::fuzz

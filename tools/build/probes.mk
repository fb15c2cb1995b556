# SPDX-License-Identifier: GPL-2.0-or-later
# What this machine has to build with.

required_pkgs := glib-2.0 libdw libelf capstone libtraceevent libzstd libbpf
feature_cflags := $(shell $(PKG_CONFIG) --cflags $(required_pkgs))
feature_libs := $(shell $(PKG_CONFIG) --libs $(required_pkgs)) -liberty -lpthread -ldl -lm

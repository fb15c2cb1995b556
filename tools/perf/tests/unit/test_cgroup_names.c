// SPDX-License-Identifier: GPL-2.0-or-later
/* The containers and pods that paths of cgroups name, as container runtimes make them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "base/types.h"
#include "machine/cgroup_names.h"

#define ID    "3f0e6c5ab77ee1d2b8c9a0f1e2d3c4b5a697887766554433221100ffeeddccbb"
#define INNER "00000000b77ee1d2b8c9a0f1e2d3c4b5a697887766554433221100ffeeddccbb"
#define UID   "0ad9be4c-1d2e-4f3a-8b9c-a1b2c3d4e5f6"
#define UID_  "0ad9be4c_1d2e_4f3a_8b9c_a1b2c3d4e5f6"
#define HASH  "a2bd6f3c4e5a69788796a5b4c3d2e1f0"

static const struct {
	const char *path, *container, *pod;
} paths[] = {
	{ "/docker/" ID, ID, "" },
	{ "/system.slice/docker-" ID ".scope", ID, "" },
	{ "/machine.slice/libpod-" ID ".scope/container", ID, "" },
	{ "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" ID ".scope", ID, "" },
	{ "/kubepods/burstable/pod" UID "/" ID, ID, UID },
	{ "/kubepods/pod" UID "/" ID "/", ID, UID },
	{ "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID_
	  ".slice/cri-containerd-" ID ".scope",
	  ID, UID },
	{ "/kubepods.slice/kubepods-pod" UID_ ".slice/crio-" ID ".scope", ID, UID },
	{ "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" HASH
	  ".slice:cri-containerd:" ID,
	  ID, HASH },
	{ "/kubepods/besteffort/pod" HASH "/" ID, ID, HASH },
	{ "/docker/" ID "/docker/" INNER, INNER, "" },
	{ "/docker/" ID "/system.slice/nginx.service", ID, "" },
	{ "/lxc.payload.web-1/system.slice/nginx.service", "web-1", "" },
	/* the processes that watch, and the runtime's own */
	{ "/kubepods.slice/kubepods-pod" UID_ ".slice/crio-conmon-" ID ".scope", "", UID },
	{ "/machine.slice/libpod-conmon-" ID ".scope", "", "" },
	{ "/kubepods.slice/kubepods-burstable.slice", "", "" },
	/* no containers */
	{ "/", "", "" },
	{ "", "", "" },
	{ "/system.slice/nginx.service", "", "" },
	{ "/user.slice/pods", "", "" },
	{ "/lxc.payload.", "", "" },
	{ "/docker/" ID "0", "", "" },
	{ "/docker/x" ID, "", "" },
	{ "/docker/3f0e6c5ab77e", "", "" },
	{ "/kubepods/pod0ad9be4c-1d2e-4f3a-8b9c-a1b2c3d4e5f", "", "" },
	{ "/kubepods/pod0ad9be4cx1d2e-4f3a-8b9c-a1b2c3d4e5f6", "", "" },
	{ "/kubepods/pod", "", "" },
	{ "/.scope", "", "" },
};

static void test_paths(void **state)
{
	char name[CGROUP_NAME_SIZE];

	for (u32 i = 0; i < ARRAY_SIZE(paths); i++) {
		assert_int_equal(cgroup_container(paths[i].path, name), *paths[i].container != 0);
		assert_string_equal(name, paths[i].container);
		assert_int_equal(cgroup_pod(paths[i].path, name), *paths[i].pod != 0);
		assert_string_equal(name, paths[i].pod);
	}
}

/* Names of others' choice: neither too long for the buffer, nor a part of another name. */
static void test_long_names(void **state)
{
	g_autofree char *fits = g_strnfill(CGROUP_NAME_SIZE - 1, 'n'),
			*long_name = g_strnfill(CGROUP_NAME_SIZE, 'n');
	g_autofree char *good = g_strconcat("/lxc.payload.", fits, NULL),
			*bad = g_strconcat("/lxc.payload.", long_name, NULL);
	char name[CGROUP_NAME_SIZE];

	assert_true(cgroup_container(good, name));
	assert_string_equal(name, fits);
	assert_false(cgroup_container(bad, name));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_paths),
					    cmocka_unit_test(test_long_names) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

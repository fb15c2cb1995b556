// SPDX-License-Identifier: GPL-2.0-or-later
package main

import (
	"fmt"
	"sort"
	"strings"
)

func weigh(s string, depth int) int {
	if depth > 0 {
		return weigh(s+"x", depth-1) + 1
	}
	return len(strings.Fields(s))
}

func main() {
	seen := map[string]int{}
	for i := 0; ; i++ {
		s := fmt.Sprint(i % 997)
		seen[s] += weigh(s, i%10)
		if i%1000 == 0 {
			keys := make([]string, 0, len(seen))
			for k := range seen {
				keys = append(keys, k)
			}
			sort.Strings(keys)
		}
	}
}

# Reads CTest's log of tests that speak TAP and counts single cases.  A test that prints no TAP
# counts as one.  One that ends before its plan is done has crashed: one failed case more.
#
# Prints `PASSED FAILED SKIPPED`; with show=1, the output of each test that failed instead.

/^[0-9]+\/[0-9]+ Testing: / { begin($0); next }
/^Test (Passed|Failed|Skipped)\.$|^Test timed out|^\*\*\*|^Unable to find executable/ { verdict = $0 }
/^<end of output>$/ { inside = 0 }
inside && !/^ok |^-----/ { output = output $0 "\n" }
/^1\.\.[0-9]+$/ { planned = 1; plan = substr($0, 4) + 0 }
/^Output:$/ { inside = 1 }
/^(not )?ok .*# SKIP/ { skips++; next }
/^ok / { passes++ }
/^not ok / { fails++ }
END { end(); if (!show) print passed + 0, failed + 0, skipped + 0 }

function begin(line) {
  end()
  sub(/^[0-9]+\/[0-9]+ Testing: /, "", line)
  name = line
  output = verdict = ""
  passes = fails = skips = plan = planned = 0
}

function end() {
  if (name == "") return
  if (verdict ~ /Skipped/) { if (!skips) skips = 1 }
  else if (verdict ~ /Passed/) { if (!(passes + fails + skips)) passes = 1 }
  else if (!fails) fails = 1
  if (verdict ~ /Passed/ && planned && !plan) { output = output "nothing was tried\n"; fails++; passes = 0 }
  if (verdict !~ /Skipped/ && plan > passes + fails + skips) {
    output = output "stopped before case " passes + fails + skips + 1 " of " plan "\n"
    fails++
  }
  if (show && fails) printf "--- %s: %s\n%s", name, verdict, output
  passed += passes; failed += fails; skipped += skips
  name = ""
}

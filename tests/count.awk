# Reads the JUnit file of CTest and counts the single cases of tests that speak TAP.  A test that
# prints no TAP counts as one.  One that ends before its plan is done has crashed: one failed case
# more.
#
# Prints `PASSED FAILED SKIPPED`; with show=1, the output of each test that failed instead.

/^\t<testcase / { begin($0) }
/^\t\t<skipped / { verdict = attribute($0, "message"); if (verdict ~ /^SKIP_/) verdict = "skipped" }
/^\t\t<failure / { verdict = "failed" }
/^\t\t<system-out>/ { sub(/^\t\t<system-out>/, ""); inside = 1 }
inside { done = sub(/<\/system-out>$/, ""); take(unescaped($0)); inside = !done }
/^\t<\/testcase>/ { end() }
END { if (!show) print passed + 0, failed + 0, skipped + 0 }

function attribute(line, name) {
  if (!match(line, name "=\"[^\"]*\"")) return ""
  return unescaped(substr(line, RSTART + length(name) + 2, RLENGTH - length(name) - 3))
}

function unescaped(line) {
  gsub(/&lt;/, "<", line); gsub(/&gt;/, ">", line); gsub(/&quot;/, "\"", line)
  gsub(/&apos;/, "'", line); gsub(/&amp;/, "\\&", line)
  return line
}

function begin(line) {
  name = attribute(line, "name")
  verdict = attribute(line, "status") == "run" ? "passed" : attribute(line, "status")
  output = ""
  inside = passes = fails = skips = plan = planned = 0
}

function take(line) {
  if (line ~ /^1\.\.[0-9]+$/) { planned = 1; plan = substr(line, 4) + 0 }
  if (line ~ /^(not )?ok .*# SKIP/) skips++
  else if (line ~ /^ok /) passes++
  else if (line ~ /^not ok /) fails++
  if (line !~ /^ok /) output = output line "\n"
}

function end() {
  if (verdict == "skipped") { if (!skips) skips = 1 }
  else if (verdict == "passed") { if (!(passes + fails + skips)) passes = 1 }
  else if (!fails) fails = 1
  if (verdict == "passed" && planned && !plan) { output = output "nothing was tried\n"; fails++; passes = 0 }
  if (verdict != "skipped" && plan > passes + fails + skips) {
    output = output "stopped before case " passes + fails + skips + 1 " of " plan "\n"
    fails++
  }
  if (show && fails) printf "--- %s: %s\n%s", name, verdict, output
  passed += passes; failed += fails; skipped += skips
}

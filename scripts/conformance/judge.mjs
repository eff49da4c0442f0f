/**
 * Judges a run by what its scenarios wrote, since a scenario that threw writes nothing and a baseline given to the suite
 * would hide misspelt names. The suite's own exit code must agree.
 */
export function judge(run) {
  const problems = [];
  const rows = [
    ...run.server.map((name) => row(run, name, true)),
    ...[...run.scenarios.keys()].filter((name) => !run.server.includes(name)).map((name) => row(run, name, false)),
  ];
  if (run.server.length === 0) problems.push('the requirement set names no scenario: its file was not understood');
  for (const { name, scored, status, failing } of rows) {
    if (scored && status !== 'pass') problems.push(`${name} ${status}s: ${failing.join('; ')}`);
  }
  const failed = rows.filter(({ scored, status }) => scored && status !== 'pass').length;
  if ((run.code === 0) !== (failed === 0))
    problems.push(`the suite ended with ${run.code}, while ${failed} scored scenarios failed`);
  return {
    requirements: run.requirements,
    rows,
    problems,
    ok: problems.length === 0,
    scored: run.server.length,
    passed: run.server.length - failed,
  };
}

function row(run, name, scored) {
  const checks = run.scenarios.get(name);
  const count = (status) => checks?.filter((check) => check.status === status).length ?? 0;
  const failures = checks?.filter(({ status }) => status === 'FAILURE') ?? [];
  const warnings = checks?.filter(({ status }) => status === 'WARNING') ?? [];
  const say = ({ id, errorMessage }) => `${id}: ${String(errorMessage ?? '').slice(0, 200)}`;
  return {
    name,
    scored,
    // A scenario that counts and checked nothing proves nothing.
    status:
      checks === undefined
        ? 'did not finish, fail'
        : failures.length > 0 || (scored && count('SUCCESS') === 0)
          ? 'fail'
          : 'pass',
    success: count('SUCCESS'),
    skipped: count('SKIPPED'),
    failing: failures.map(say),
    warnings: warnings.map(say),
  };
}

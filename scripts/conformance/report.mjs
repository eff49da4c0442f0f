/** What a run found, as text. */
export function table({ requirements, rows, problems, scored, passed }) {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.flatMap(({ name, scored: counts, status, success, skipped, failing, warnings }) => {
    const failed = failing.length > 0 ? `, ${failing.length} failed` : '';
    const found = `${success} ok${failed}${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    return [
      `  ${status === 'pass' ? 'ok  ' : 'FAIL'} ${name.padEnd(width)} ${found}${counts ? '' : '  (not scored)'}`,
      ...(counts ? failing.map((text) => `         failure ${text}`) : []),
      ...(counts ? warnings.map((text) => `         warning ${text}`) : []),
    ];
  });
  const verdict =
    problems.length === 0 ? '  nothing failed' : problems.map((problem) => `  PROBLEM ${problem}`).join('\n');
  return [`${requirements}: ${passed} of ${scored} scored scenarios pass`, ...lines, verdict, ''].join('\n');
}

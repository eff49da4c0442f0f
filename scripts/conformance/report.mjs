/** What a run found, as text. */
export function table({ requirements, rows, problems, scored, passed }) {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.flatMap(({ name, scored: counts, status, success, skipped, failing, warnings, listed }) => {
    const notes = [counts ? '' : 'not scored', listed === undefined ? '' : `expected: ${listed}`]
      .filter(Boolean)
      .join('; ');
    const failed = failing.length > 0 ? `, ${failing.length} failed` : '';
    const found = `${success} ok${failed}${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    return [
      `  ${status === 'pass' ? 'ok  ' : 'FAIL'} ${name.padEnd(width)} ${found}${notes === '' ? '' : `  (${notes})`}`,
      ...(counts ? failing.map((text) => `         failure ${text}`) : []),
      ...(counts ? warnings.map((text) => `         warning ${text}`) : []),
    ];
  });
  const verdict =
    problems.length === 0 ? '  as expected' : problems.map((problem) => `  PROBLEM ${problem}`).join('\n');
  return [`${requirements}: ${passed} of ${scored} scored scenarios pass`, ...lines, verdict, ''].join('\n');
}

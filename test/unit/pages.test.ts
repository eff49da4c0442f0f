import { cursors } from '../support/pages.js';

test('a list whose cursor stands still, or whose pages never end, fails', () => {
  const next = cursors();
  expect(['a', 'b', undefined].map((cursor) => next(cursor))).toEqual(['a', 'b', undefined]);
  expect(() => {
    next('a');
  }).toThrow('the cursor a was given before');
  const endless = cursors();
  expect(() => {
    for (let page = 0; ; page++) endless(page);
  }).toThrow('the pages never end');
});

import type { Clock } from 'cartouche';
import { HttpSession } from '../../../../src/native/http/sessions/http-session.js';
import { SessionTable } from '../../../../src/native/http/sessions/session-table.js';

class TestClock implements Clock {
  time = 0;
  now(): number {
    return this.time;
  }
  monotonic(): number {
    return this.time;
  }
}

function tableOf(
  max = 10,
  maxPerCaller = Infinity,
): {
  table: SessionTable;
  clock: TestClock;
  open: (id: string, owner?: string) => HttpSession;
} {
  const clock = new TestClock();
  const table = new SessionTable({ idleMs: 1000, max, maxPerCaller }, clock);
  const open = (id: string, owner = 'ana'): HttpSession => {
    const session = new HttpSession(id, owner, undefined);
    session.native = { close: () => undefined } as HttpSession['native'];
    table.add(session);
    return session;
  };
  return { table, clock, open };
}

describe('the table of sessions', () => {
  it('gives a session to its owner only', () => {
    const { table, open } = tableOf();
    const session = open('s');
    expect(table.use('s', 'ana')).toBe(session);
    expect(table.use('s', 'bob')).toBeUndefined();
    expect(table.use('t', 'ana')).toBeUndefined();
    table.close();
  });

  it('ends what nobody used for too long, also between two looks around', () => {
    const { table, clock, open } = tableOf();
    const [idle, used] = [open('idle'), open('used')];
    clock.time = 900;
    table.use('used', 'ana');
    clock.time = 1500;
    expect(table.use('idle', 'ana')).toBeUndefined();
    expect(idle.ended).toBe(true);
    table.sweep();
    expect(used.ended).toBe(false);
    clock.time = 2000;
    table.sweep();
    expect([used.ended, table.size]).toEqual([true, 0]);
    table.close();
  });

  it('ends no session whose request runs', () => {
    const { table, clock, open } = tableOf();
    const session = open('s');
    session.running = 1;
    clock.time = 5000;
    table.sweep();
    expect(table.use('s', 'ana')).toBe(session);
    table.close();
  });

  it('makes room by ending the one that was idle longest, and has none when all are busy', () => {
    const { table, clock, open } = tableOf(2);
    const first = open('1');
    clock.time = 10;
    const second = open('2');
    expect(table.hasRoom('ana')).toBe(true);
    expect([first.ended, second.ended]).toEqual([true, false]);
    second.running = 1;
    open('3').running = 1;
    expect(table.hasRoom('ana')).toBe(false);
    table.close();
  });

  it('makes room for a caller with the sessions of whoever has most', () => {
    const { table, clock, open } = tableOf(3);
    const other = open('other', 'bob');
    clock.time = 10;
    const [first, second] = [open('1'), open('2')];
    first.running = second.running = 1;
    expect(table.hasRoom('ana')).toBe(false);
    expect(table.hasRoom('cy')).toBe(true);
    expect([other.ended, first.ended, second.ended]).toEqual([false, true, false]);
    table.close();
  });

  it('gives one caller no more than one may have', () => {
    const { table, clock, open } = tableOf(10, 2);
    const first = open('1');
    clock.time = 10;
    open('2');
    expect(table.hasRoom('bob')).toBe(true);
    expect(first.ended).toBe(false);
    expect(table.hasRoom('ana')).toBe(true);
    expect([first.ended, table.size]).toEqual([true, 1]);
    table.close();
  });
});

import { describe, expect, test } from 'vitest';
import { type IdleTime, nextIdle, noIdleTime } from '../../../sandbox-engine/session/idle-time.ts';
import { wasBusy } from '../../../sandbox-engine/session/usage.ts';

const minute = 60_000;
const limitMs = 30 * minute;

describe('what becomes of a session in which nothing happens', () => {
  const idle = (idleMs: number, warnedMs: number | null = null): IdleTime => ({ idleMs, warnedMs });
  test.each<[string, IdleTime, { stepMs: number; isActive?: boolean; limitMs?: number }, IdleTime, string]>([
    ['a minute before its limit is near, nothing', idle(28 * minute - 1), { stepMs: minute }, idle(29 * minute - 1), 'nothing'],
    ['a minute before its limit, it is warned', idle(28 * minute), { stepMs: minute }, idle(29 * minute, 0), 'warn'],
    ['warned for less than a minute, nothing', idle(29 * minute, 0), { stepMs: minute - 1 }, idle(30 * minute - 1, minute - 1), 'nothing'],
    ['warned for a minute, it is stopped', idle(29 * minute, 0), { stepMs: minute }, idle(30 * minute, minute), 'stop'],
    ['what happens then takes the warning back', idle(29 * minute, 0), { stepMs: minute, isActive: true }, noIdleTime, 'take_back'],
    ['what happens before is no news', idle(9 * minute), { stepMs: minute, isActive: true }, noIdleTime, 'nothing'],
    ['eight hours of sleep count as a minute', idle(0), { stepMs: 480 * minute }, idle(minute), 'nothing'],
    ['a clock that runs backwards counts nothing', idle(minute), { stepMs: -minute }, idle(minute), 'nothing'],
    ['a host that finds it long idle warns it first', idle(45 * minute), { stepMs: 0 }, idle(45 * minute, 0), 'warn'],
    ['without a limit it goes on', idle(900 * minute), { stepMs: minute, limitMs: 0 }, noIdleTime, 'nothing'],
    ['a limit that is taken away takes the warning back', idle(29 * minute, 0), { stepMs: 0, limitMs: 0 }, noIdleTime, 'take_back'],
    ['a limit below a minute warns at its half', idle(0), { stepMs: 5_000, limitMs: 10_000 }, idle(5_000, 0), 'warn'],
  ])('%s', (_name, before, { isActive = false, ...step }, time, act) => {
    expect(nextIdle(before, { limitMs, isActive, ...step })).toEqual({ time, act });
  });
});

describe('whether a sandbox worked', () => {
  const sample = (atMs: number, cpuMs: number, networkBytes = 0) => ({ atMs, cpuMs, networkBytes });
  test.each([
    ['two hundredths of a processor are idling', sample(0, 0), sample(60_000, 1_200), false],
    ['a little more is work', sample(0, 0), sample(60_000, 1_201), true],
    ['16 KiB over the network are idling', sample(0, 0, 0), sample(60_000, 0, 16_384), false],
    ['a byte more is work', sample(0, 0, 0), sample(60_000, 0, 16_385), true],
    ['counters that began anew say nothing', sample(0, 90_000, 9_999_999), sample(60_000, 0, 0), false],
    ['two looks in the same moment say nothing', sample(5, 0), sample(5, 100), false],
  ])('%s', (_name, before, now, isBusy) => expect(wasBusy(before, now)).toBe(isBusy));
});

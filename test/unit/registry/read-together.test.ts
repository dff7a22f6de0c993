import { expect, test } from 'vitest';
import { readTogether } from '../../../sandbox-engine/registry/read-together.ts';

const openReader = () => {
  const asked: string[][] = [];
  const all = async <Row>(_sql: string, [keys]: readonly unknown[] = []): Promise<Row[]> => {
    const wanted = JSON.parse(String(keys)) as string[];
    asked.push(wanted);
    return wanted.filter((key) => key !== 'missing').map((key) => ({ key, body: JSON.stringify({ id: key }) }) as Row);
  };
  return { asked, read: readTogether<{ id: string }>({ all }, 'SELECT') };
};

test('what is asked for in one turn is one statement, and what is asked later is another', async () => {
  const { asked, read } = openReader();
  expect(await Promise.all([read('a'), read('missing'), read('b')])).toEqual([{ id: 'a' }, null, { id: 'b' }]);
  expect(await read('a')).toEqual({ id: 'a' });
  expect(asked).toEqual([['a', 'missing', 'b'], ['a']]);
});

test('two who ask for one key get two objects, so that none can change the other', async () => {
  const { asked, read } = openReader();
  const [first, second] = await Promise.all([read('a'), read('a')]);
  expect(first).toEqual(second);
  expect(first).not.toBe(second);
  expect(asked).toEqual([['a']]);
});

test('a statement that fails is told to all who wait, and the next one is tried', async () => {
  let failing = true;
  const all = async <Row>(): Promise<Row[]> => {
    if (failing) throw new Error('broken');
    return [{ key: 'a', body: '{"id":"a"}' } as Row];
  };
  const read = readTogether<{ id: string }>({ all }, 'SELECT');
  const both = await Promise.allSettled([read('a'), read('b')]);
  failing = false;
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await read('a')).toEqual({ id: 'a' });
});

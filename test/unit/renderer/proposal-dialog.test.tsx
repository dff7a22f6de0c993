// Rules that are made from what was contacted, before they are taken: what they take away, and what they leave out.
import { act } from 'react';
import { expect, test } from 'vitest';
import { ProposalDialog } from '../../../renderer/src/ui/ProposalDialog.tsx';
import type { NetworkRule, PolicyProposal } from '../../../sandbox-engine/contract/model.ts';
import { draw } from './drawn.tsx';

const rule: NetworkRule = { action: 'allow', hosts: ['b.example'], ports: [443] };
const text = () => document.body.textContent ?? '';

test('before rules of an observed run take their place, the rules that go are named', async () => {
  const proposal = { policy: { version: 'v1', rules: [rule] }, warnings: [], left_out: [], attempts: 1 } as unknown as PolicyProposal;
  const shared = { title: 'Rules', about: '', withBlocked: false, isBusy: false, confirm: 'Save' };
  const nothing = () => undefined;
  const before = { version: 'v1' as const, rules: [rule, { action: 'allow' as const, hosts: ['kept.example'] }] };
  await act(async () =>
    draw(<ProposalDialog {...shared} {...{ proposal, before }} onBlocked={nothing} onConfirm={nothing} onClose={nothing} />),
  );
  const gone = [...document.querySelectorAll('[aria-label="Rules that go"] li')].map((one) => one.textContent);
  expect(gone).toEqual(['allow kept.example · ports 443 and 80']);
});

test('where nothing can be proposed, what was contacted is in sight and no past is told', async () => {
  const left_out = [{ host: 'b.example', port: 443, attempts: 2, because: 'not_found' }];
  const proposal = { policy: { version: 'v1', rules: [] }, warnings: [], left_out } as unknown as PolicyProposal;
  const shared = { title: 'Rules', about: '', withBlocked: false, isBusy: false, confirm: 'Save', preview: 'the past' };
  const nothing = () => undefined;
  await act(async () =>
    draw(
      <ProposalDialog
        {...shared}
        {...{ proposal, before: { version: 'v1', rules: [rule] } }}
        onBlocked={nothing}
        onConfirm={nothing}
        onClose={nothing}
      />,
    ),
  );
  expect([document.querySelector('details')?.open, text().includes('the past'), text().includes('goes')]).toEqual([true, false, false]);
});

// The rules of a network policy in their order, which decides: dragged by their handle, by mouse or by keyboard, or moved a step at a time.
import './rules.css';
import { useEffect, useRef } from 'react';
import type { NetworkRule } from '../../../sandbox-engine/contract/model.ts';
import { notifyUndo } from '../ui/notify.tsx';
import { SortableFrame, useSortableRow } from '../ui/sortable.tsx';
import { moveRule } from './policy-edit.ts';
import { RuleCard } from './RuleCard.tsx';
import type { PolicyCheck } from './use-policy-check.ts';

interface RuleListProps {
  rules: readonly NetworkRule[];
  check: PolicyCheck;
  /** The one that was just added. */
  fresh: NetworkRule | null;
  onChange: (rules: NetworkRule[]) => void;
}

/** Rules have no identity but their place; so that one keeps its card while it is edited and moved, each object gets a name here. */
const useNames = () => {
  const names = useRef(new WeakMap<NetworkRule, string>());
  const made = useRef(0);
  const nameOf = (rule: NetworkRule): string => {
    const known = names.current.get(rule);
    if (known !== undefined) return known;
    made.current += 1;
    const name = `rule-${made.current}`;
    names.current.set(rule, name);
    return name;
  };
  const carry = (from: NetworkRule, to: NetworkRule) => void names.current.set(to, nameOf(from));
  return { nameOf, carry };
};

interface SortableRuleProps extends Omit<Parameters<typeof RuleCard>[0], 'handle'> {
  name: string;
}

const SortableRule = ({ name, ...card }: SortableRuleProps) => {
  const { row, handle, isDragging } = useSortableRow(name, `Move rule ${card.index + 1}`, 'rule-handle');
  return (
    <div {...row} className={isDragging ? 'is-dragging' : undefined}>
      <RuleCard {...card} handle={handle} />
    </div>
  );
};

/** The list. */
export const RuleList = ({ rules, check, fresh, onChange }: RuleListProps) => {
  const { nameOf, carry } = useNames();
  const names = rules.map(nameOf);
  const latest = useRef({ rules, onChange });
  latest.current = { rules, onChange };
  const offer = useRef<() => void>(() => undefined);
  // Where the list is not shown any more, nobody knows what the rule would be put back into.
  useEffect(() => () => offer.current(), []);
  const remove = (index: number) => {
    const gone = rules[index];
    onChange(rules.filter((_, at) => at !== index));
    if (gone === undefined) return;
    offer.current();
    offer.current = notifyUndo(`Rule ${index + 1} is taken out; nothing is saved yet.`, () =>
      latest.current.onChange(latest.current.rules.toSpliced(index, 0, gone)),
    );
  };
  const replace = (index: number, next: NetworkRule) => {
    const before = rules[index];
    if (before) carry(before, next);
    onChange(rules.map((rule, at) => (at === index ? next : rule)));
  };
  return (
    <SortableFrame
      noun="rule"
      ids={names}
      nameOf={(index) => `Rule ${index + 1} of ${names.length}`}
      onMove={(from, to) => onChange(moveRule(rules, from, to))}
    >
      <div className="rules">
        {rules.map((rule, index) => (
          <SortableRule
            key={nameOf(rule)}
            name={nameOf(rule)}
            {...{ rule, index, check }}
            count={rules.length}
            isNew={rule === fresh}
            onChange={(next) => replace(index, next)}
            onMove={(to) => onChange(moveRule(rules, index, to))}
            onRemove={() => remove(index)}
          />
        ))}
      </div>
    </SortableFrame>
  );
};

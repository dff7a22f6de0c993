// The policy as its JSON: every problem at its line. What is no policy yet stays text and changes nothing.
import { useEffect, useMemo, useRef, useState } from 'react';
import type { NetworkPolicy } from '../../../sandbox-engine/contract/model.ts';
import { CodeField, type CodeFieldHandle } from '../ui/CodeField.tsx';
import { ProblemList } from '../ui/ProblemList.tsx';
import { placeOfPointer } from './pointer-places.ts';
import { readPolicyText } from './policy-edit.ts';
import type { PolicyCheck } from './use-policy-check.ts';

interface PolicyJsonProps {
  policy: NetworkPolicy;
  check: PolicyCheck;
  onChange: (policy: NetworkPolicy) => void;
}

const write = (policy: NetworkPolicy): string => `${JSON.stringify(policy, null, 2)}\n`;

const isSame = (text: string, policy: NetworkPolicy): boolean => {
  const read = readPolicyText(text);
  return 'policy' in read && JSON.stringify(read.policy) === JSON.stringify(policy);
};

/** The editor. */
export const PolicyJson = ({ policy, check, onChange }: PolicyJsonProps) => {
  const [text, setText] = useState(() => write(policy));
  const editor = useRef<CodeFieldHandle>(null);
  const read = readPolicyText(text);
  const isText = 'problem' in read;
  const latest = useRef(text);
  latest.current = text;
  useEffect(() => {
    // Discarded, or changed elsewhere: the text follows, but is not written anew for what it says already.
    if (!isSame(latest.current, policy)) setText(write(policy));
  }, [policy]);

  const problems = useMemo(() => {
    const found = readPolicyText(text);
    if ('problem' in found) return [{ line: 1, column: 1, message: found.problem, severity: 'error' as const }];
    const at = (path: string) => placeOfPointer(text, path);
    return [
      ...check.errors.map(({ path, message }) => ({ ...at(path), message, severity: 'error' as const })),
      ...check.warnings.map(({ path, message }) => ({ ...at(path), message, severity: 'warning' as const })),
    ];
  }, [text, check]);

  return (
    <div className="policy-json">
      <CodeField
        label="Network policy as JSON"
        mode="yaml"
        hasLineNumbers
        minLines={8}
        value={text}
        problems={problems}
        handle={editor}
        onChange={(next) => {
          setText(next);
          const now = readPolicyText(next);
          if ('policy' in now) onChange(now.policy);
        }}
      />
      {isText && (
        <p className="policy-json-note tone-warn" role="status">
          This is no policy yet, so the page still holds the last one that was.
        </p>
      )}
      <ProblemList problems={problems} onChoose={({ line, column }) => editor.current?.goTo(line, column)} />
    </div>
  );
};

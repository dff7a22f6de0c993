// No access, rules, or everything: the first choice about a network. Closed unless opened.
import { IconListCheck, IconLock, IconWorld } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { confirm } from '../ui/confirm.tsx';
import { counted } from '../ui/format.ts';
import { moveBetweenRadios } from '../ui/radio-keys.ts';

export type Mode = 'none' | 'rules' | 'open';

interface ChoiceProps {
  icon: ReactNode;
  title: string;
  text: string;
  isChosen: boolean;
  onChoose: () => void;
}

const Choice = ({ icon, title, text, isChosen, onChoose }: ChoiceProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a card of two lines is not what an input element can show
  <button type="button" role="radio" className="card-button choice" aria-checked={isChosen} onClick={onChoose}>
    {icon}
    <div>
      <strong>{title}</strong>
      <span>{text}</span>
    </div>
  </button>
);

const openQuestion = (onConfirm: () => void) =>
  confirm({
    title: 'Open the network of this environment?',
    body: 'Its setup runs and new sessions will reach the whole internet and your local network through the ordinary bridge of the runtime, and nothing of it is written down. The change is made when you save.',
    confirm: 'Use unrestricted network',
    onConfirm,
  });

const closeQuestion = (count: number, onConfirm: () => void) =>
  confirm({
    title: `Take ${counted(count, 'rule')} away?`,
    body: 'Nothing can be reached without rules. The change is made when you save; until then discarding your edits brings them back.',
    confirm: 'Take them away',
    onConfirm,
  });

interface NetworkModeProps {
  mode: Mode;
  ruleCount: number;
  onMode: (mode: Mode) => void;
}

const Choices = ({ mode, ruleCount, onMode }: NetworkModeProps) => (
  <div className="network-modes" role="radiogroup" aria-label="Network access" onKeyDown={moveBetweenRadios}>
    <Choice
      icon={<IconLock size={17} />}
      title="No access"
      text="Nothing can be downloaded and nothing can leak. Good for what is already in the image."
      isChosen={mode === 'none'}
      onChoose={() => (ruleCount > 0 ? closeQuestion(ruleCount, () => onMode('none')) : onMode('none'))}
    />
    <Choice
      icon={<IconListCheck size={17} />}
      title="Rules"
      text="Only the hosts that you list, by name and port. It holds against root inside the sandbox."
      isChosen={mode === 'rules'}
      onChoose={() => onMode('rules')}
    />
    <Choice
      icon={<IconWorld size={17} />}
      title="Unrestricted"
      text="Everything that this machine can reach, through the runtime's ordinary bridge. Nothing is written down."
      isChosen={mode === 'open'}
      onChoose={() => mode !== 'open' && openQuestion(() => onMode('open'))}
    />
  </div>
);

/** The three cards. Rules of which there is none yet are no change: that is said. */
export const NetworkMode = (props: NetworkModeProps) => (
  <>
    <Choices {...props} />
    <p className="network-same dim" role="status">
      {props.mode === 'rules' && props.ruleCount === 0 && 'Same as No access until a rule is added.'}
    </p>
  </>
);

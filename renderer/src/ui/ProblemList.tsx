import { withCode } from './with-code.tsx';

interface Problem {
  /** 1-based. */
  line: number;
  /** 1-based. */
  column: number;
  message: string;
}

interface ProblemListProps {
  problems: readonly Problem[];
  onChoose: (problem: Problem) => void;
}

/** What is wrong in a text, each with its place; choosing one leads there. Nothing while all is well. */
export const ProblemList = ({ problems, onChoose }: ProblemListProps) =>
  problems.length > 0 && (
    <section className="problems" aria-label="Problems">
      {problems.map((problem) => (
        <button
          type="button"
          className="text-button problem"
          key={`${problem.line}:${problem.column}:${problem.message}`}
          onClick={() => onChoose(problem)}
        >
          <span className="num">
            {problem.line}:{problem.column}
          </span>
          <span>{withCode(problem.message)}</span>
        </button>
      ))}
    </section>
  );

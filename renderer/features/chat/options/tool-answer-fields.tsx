import { useState } from 'react';
import { MAX_SCRIPT_LENGTH, type ToolAnswer } from '../../../../shared/tool-answer.ts';
import { toolsForm } from '../../../run/form/panel-forms.ts';
import { Select } from '../../../ui/select.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { draftNames } from '../conversation/chat-labels.ts';
import { dropDraft, useTextDraft } from '../conversation/edit-drafts.tsx';
import { TryTool } from './try-tool.tsx';

type By = ToolAnswer['by'];

const CHOICES: { value: By; label: string }[] = [
  { value: 'you', label: 'You' },
  { value: 'canned', label: 'A canned result' },
  { value: 'script', label: 'A JavaScript function' },
];

const EXAMPLE_ARGUMENTS = '{ "place": "Oslo" }';
const EXAMPLE_RESULT = '{ "place": "{{place}}", "temperature": 14 }';
const EXAMPLE_CODE = `(args) => {
  return { place: args.place, temperature: 14 };
}`;

export interface ToolAnswerDraft {
  answer: ToolAnswer;
  by: By;
  text: string;
  problem: string | null;
  setBy: (by: By) => void;
  setText: (text: string) => void;
  /** Discards the unsaved texts; call it after saving. */
  drop: () => void;
}

/** Keeps the texts of both kinds while the dialog is open, so that switching loses nothing. */
export function useToolAnswer(toolId: string | null, saved: ToolAnswer): ToolAnswerDraft {
  const [by, setBy] = useState(saved.by);
  const resultName = draftNames.toolResult(toolId);
  const codeName = draftNames.toolCode(toolId);
  const result = useTextDraft(
    toolsForm,
    resultName,
    saved.by === 'canned' ? saved.result : EXAMPLE_RESULT,
  );
  const code = useTextDraft(toolsForm, codeName, saved.by === 'script' ? saved.code : EXAMPLE_CODE);
  const shown = by === 'script' ? code : result;
  return {
    answer: getAnswer(by, shown.text),
    by,
    text: shown.text,
    problem: getProblem(by, shown.text),
    setBy,
    setText: shown.change,
    drop() {
      dropDraft(toolsForm, resultName);
      dropDraft(toolsForm, codeName);
    },
  };
}

function getAnswer(by: By, text: string): ToolAnswer {
  if (by === 'canned') return { by, result: text };
  return by === 'script' ? { by, code: text } : { by };
}

function getProblem(by: By, text: string): string | null {
  if (by !== 'script') return null;
  if (text.trim() === '') return 'Enter a function.';
  return text.length > MAX_SCRIPT_LENGTH ? 'The function is too long.' : null;
}

export function ToolAnswerFields({ draft }: { draft: ToolAnswerDraft }) {
  const { answer, by, text, problem, setBy, setText } = draft;
  return (
    <div className="stack-12">
      <Select label="Answered by" value={by} options={CHOICES} onValueChange={setBy} />
      {by === 'canned' && (
        <TextArea
          label="Result"
          help="Text or JSON. {{name}} is replaced by the argument of that name."
          monospace
          autoGrow
          rows={4}
          value={text}
          onValueChange={setText}
        />
      )}
      {by === 'script' && (
        <TextArea
          label="Function"
          help="Takes the arguments and returns the result, also as a promise. It can’t reach the network or files, and has 5 seconds."
          error={problem}
          monospace
          autoGrow
          rows={5}
          spellCheck={false}
          value={text}
          onValueChange={setText}
        />
      )}
      {answer.by !== 'you' && (
        <TryTool
          key={answer.by}
          answer={answer}
          exampleArguments={EXAMPLE_ARGUMENTS}
          problem={problem}
        />
      )}
    </div>
  );
}

const WORDS: Readonly<Record<By, string | null>> = {
  you: null,
  canned: 'Canned result',
  script: 'JavaScript',
};

/** Returns null for a tool that the user answers. */
export function describeToolAnswer({ by }: ToolAnswer): string | null {
  return WORDS[by];
}

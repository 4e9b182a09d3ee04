import type { JsonValue } from '../../../../shared/json.ts';
import type { McpTool } from '../../../../shared/mcp.ts';
import { adaptSchema, readToolFormat } from '../../../../shared/operations/chat/tool-schema.ts';
import { TextDiff } from '../../../run/compare/text-diff/text-diff.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { JsonView } from '../../../ui/json-view/json-view.tsx';

interface ToolSchemaDialogProps {
  tool: McpTool;
  format: JsonValue | undefined;
  onClose: () => void;
}

/** Shows a tool's schema as the server wrote it and, if that differs, as it is sent. */
export function ToolSchemaDialog({ tool, format, onClose }: ToolSchemaDialogProps) {
  const { name, title, description, inputSchema } = tool;
  const sent = adaptSchema(inputSchema, readToolFormat(format));
  const write = (schema: JsonValue) => JSON.stringify(schema, null, 2);
  return (
    <Dialog open title={name} size="wide" onClose={onClose}>
      <div className="stack-12">
        {(description !== '' || title !== null) && <p>{description || title}</p>}
        {sent === inputSchema ? (
          <>
            <p className="caption">Sent as the server wrote it.</p>
            <JsonView label="Parameters" value={inputSchema} source={write(inputSchema)} />
          </>
        ) : (
          <TextDiff
            first={{ name: 'As the server wrote it', text: write(inputSchema) }}
            second={{ name: 'As sent', text: write(sent) }}
          />
        )}
      </div>
    </Dialog>
  );
}

/** Detects responses that break JSON-RPC, which the SDK drops while their call waits for a timeout. */
import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCErrorResponse,
  ProtocolError,
} from '@modelcontextprotocol/client';
import { isJsonObject } from '../../shared/json.ts';

/** JSON-RPC's “Parse error”. */
const CODE = -32_700;
const MESSAGE = 'Gatehouse can’t read this response.';

/** Returns the error to end the call with; null if the value is valid or isn't a response. */
export function rejectUnreadableResponse(value: unknown): JSONRPCErrorResponse | null {
  if (!isJsonObject(value) || 'method' in value) return null;
  const { id } = value;
  // All IDs of the SDK's requests are numbers.
  if (typeof id !== 'number' || !('result' in value || 'error' in value)) return null;
  if (isJSONRPCResultResponse(value) || isJSONRPCErrorResponse(value)) return null;
  return { jsonrpc: '2.0', id, error: { code: CODE, message: MESSAGE } };
}

export function isUnreadableResponse(cause: unknown): boolean {
  if (cause instanceof ProtocolError) return cause.code === CODE && cause.message === MESSAGE;
  // The SDK reads JSON bodies itself and throws what its parsers throw.
  return cause instanceof Error && ['ZodError', 'SyntaxError'].includes(cause.name);
}

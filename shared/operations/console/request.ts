/** Defines the Console request, its limits and the form input. */
import { z } from 'zod';
import { once } from '../../once.ts';
import { headerListSchema } from '../../run.ts';
import { createMediaReferenceSchema } from '../form/media-places.ts';

const METHOD = /^[A-Z]{1,20}$/;

const pathSchema = z.string('Enter a path such as /v1/models.').superRefine((path, context) => {
  const problem = findConsolePathProblem(path);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});

const multipartSchema = z.object({
  fields: z.array(z.tuple([z.string().min(1, 'Every field needs a name.'), z.string()])),
  file: z
    .object({
      name: z.string().min(1, 'The file needs a field name.'),
      media: createMediaReferenceSchema('Choose a file.'),
      filename: z.string().optional(),
    })
    .nullable(),
});

export const getConsoleRequestSchema = once(() =>
  z
    .object({
      method: z
        .string()
        .regex(METHOD, 'Enter an uppercase method, such as GET or POST.')
        .refine(
          (method) => method !== 'CONNECT' && method !== 'TRACE',
          'This method isn’t supported.',
        ),
      path: pathSchema,
      /** Excludes `Authorization`, because the connection sets it. */
      headers: headerListSchema.optional(),
      /** Sent as `application/json` unless a header sets another content type. */
      body: z.string().nullable(),
      multipart: multipartSchema.optional(),
    })
    .superRefine(({ body, method, multipart }, context) => {
      if (multipart && body !== null && body !== '') {
        const message = 'Send either a body or a form, not both.';
        context.addIssue({ code: 'custom', path: ['body'], message });
      }
      if (
        (multipart || (body !== null && body !== '')) &&
        (method === 'GET' || method === 'HEAD')
      ) {
        const message = `A ${method} request can’t have a body. Clear it or choose another method.`;
        context.addIssue({ code: 'custom', path: ['body'], message });
      }
    }),
);
export type ConsoleRequest = z.infer<ReturnType<typeof getConsoleRequestSchema>>;

export const consoleInputSchema = z.object({
  method: z.string(),
  path: z.string(),
  headers: z.string(),
  bodyKind: z.enum(['json', 'form']),
  body: z.string(),
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
  file: z.object({ name: z.string(), mediaId: z.string(), filename: z.string() }).nullable(),
});
export type ConsoleInput = z.infer<typeof consoleInputSchema>;

const BLANK = /\s|\p{Cc}/u;
/**
 * Matches path segments that a URL parser resolves as `.` or `..`, including percent-encoded dots.
 */
const STEP = /^(?:\.|%2e){1,2}$/i;

export function findConsolePathProblem(path: string): string | null {
  if (path === '') return 'Enter a path such as /v1/models.';
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || /^[/\\]{2}/.test(path)) {
    return 'Enter a path, not a full URL. Your key is only sent to the base URL.';
  }
  if (!path.startsWith('/')) return 'Start the path with a slash, such as /v1/models.';
  if (path.includes('\\')) return 'A path can’t contain a backslash. Use / or %5C.';
  if (BLANK.test(path)) return 'A path can’t contain spaces or line breaks. Use %20 for a space.';
  if (path.includes('#')) return 'Remove the # fragment; it isn’t sent. Use %23 for a literal #.';
  const [segments = ''] = path.split('?', 1);
  if (segments.split('/').some((segment) => STEP.test(segment))) {
    return 'A path can’t contain . or .. segments.';
  }
  return null;
}

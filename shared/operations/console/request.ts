/** Request of the console: any method and path under the connection's base URL. Not held to the interface's limits. */
import { z } from 'zod';
import { headerListSchema } from '../../run.ts';
import { mediaFile } from '../form/media-places.ts';
import { consolePathProblem } from './path.ts';

const METHOD = /^[A-Z]{1,20}$/;

const pathSchema = z.string('Enter a path such as /v1/models.').superRefine((path, context) => {
  const problem = consolePathProblem(path);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});

/** One file, streamed from the media store; every other field is text. */
const multipartSchema = z.object({
  fields: z.array(z.tuple([z.string().min(1, 'Every field needs a name.'), z.string()])),
  file: z
    .object({
      /** The field's name: `file`. */
      name: z.string().min(1, 'The file needs a field name.'),
      media: mediaFile('Choose a file.'),
      /** Unless the medium's own name is to be sent. */
      filename: z.string().optional(),
    })
    .nullable(),
});

export const consoleRequestSchema = z
  .object({
    method: z
      .string()
      .regex(METHOD, 'Enter a method in capital letters, such as GET or POST.')
      .refine(
        (method) => method !== 'CONNECT' && method !== 'TRACE',
        'This method is not supported.',
      ),
    path: pathSchema,
    /** `[name, value]`; Authorization is the connection's own and is left out here. */
    headers: headerListSchema.optional(),
    /** Sent as it is written; `application/json` unless a header says otherwise. */
    body: z.string().nullable(),
    /** In place of `body`. */
    multipart: multipartSchema.optional(),
  })
  .superRefine(({ body, method, multipart }, context) => {
    if (multipart && body !== null && body !== '') {
      const message = 'Send either a body or a form, not both.';
      context.addIssue({ code: 'custom', path: ['body'], message });
    }
    if ((multipart || (body !== null && body !== '')) && (method === 'GET' || method === 'HEAD')) {
      const message = `A ${method} request cannot have a body. Clear it or choose another method.`;
      context.addIssue({ code: 'custom', path: ['body'], message });
    }
  });
export type ConsoleRequest = z.infer<typeof consoleRequestSchema>;

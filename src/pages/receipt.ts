// The addresses of receipts: a page and its PDF. The address is the key: it is in no log, and pages
// that it leads to learn nothing of it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NOTE_HEADERS, notePage } from '../markup/note-page.ts';
import type { Services } from '../product/context.ts';
import { acceptedLanguage, ENGLISH, say, textsOf } from '../texts/index.ts';
import { languageOf } from '../product/people/account/index.ts';
import { openReceipt } from '../product/money/history/index.ts';
import { shopOf, viewOf, type ReceiptView } from '../product/tell/mail/index.ts';
import type { Shop } from '../product/tell/mail/index.ts';
import { pdfThread } from './pdf-thread.ts';
import { receiptPage } from './receipt-page.ts';

type Parts = Pick<Services, 'db' | 'env' | 'keys' | 'random'>;

interface Token {
  Params: { token: string };
}

const HEADERS = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;
/** Counted by address, as links are: nobody finds one by trying. */
const COUNTED = { config: { oneTimeLink: true } } as const;

/** Registers both on the host of hosted pages. */
export function receiptPages(app: FastifyInstance, services: Parts): void {
  const pdfs = pdfThread();
  app.addHook('onClose', () => pdfs.close());
  app.get<Token>('/receipt/:token', COUNTED, async (request, reply) => {
    const { token } = request.params;
    const found = await viewAt(services, token);
    if (found === null) return sendNote(request, reply, 404, 'page_gone');
    const { text, policy } = receiptPage(found.view, found.shop, `/receipt/${token}/pdf`);
    void reply.headers({ ...HEADERS, 'content-security-policy': policy });
    return reply.type('text/html; charset=utf-8').send(text);
  });
  app.get<Token>('/receipt/:token/pdf', COUNTED, async (request, reply) => {
    const { token } = request.params;
    const found = await viewAt(services, token);
    if (found === null) return sendNote(request, reply, 404, 'page_gone');
    const bytes = await pdfs.make(found.view, found.shop);
    if (bytes === null) return sendNote(request, reply, 409, 'page_no_pdf');
    // In no language: a header holds no other letters.
    const name = `receipt-${found.number}.pdf`;
    void reply.headers({ ...HEADERS, 'content-disposition': `attachment; filename="${name}"` });
    return reply.type('application/pdf').send(Buffer.from(bytes));
  });
}

async function viewAt(
  parts: Parts,
  token: string,
): Promise<{ readonly view: ReceiptView; readonly shop: Shop; readonly number: string } | null> {
  const opened = await openReceipt(parts, token);
  if (opened === null) return null;
  const { workspace, account, receipt } = opened;
  const shop = await shopOf(parts, workspace, await languageOf(parts.db, workspace, account));
  return { view: viewOf(receipt, shop), shop, number: receipt.number };
}

/** For whoever has an address that leads nowhere: in the language of the browser. */
function sendNote(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  status: number,
  what: 'page_gone' | 'page_no_pdf',
): FastifyReply {
  void reply.code(status).headers({ ...HEADERS, ...NOTE_HEADERS });
  const lang = acceptedLanguage(headers['accept-language'] ?? '') ?? ENGLISH;
  const texts = textsOf(lang);
  const { direction: dir } = texts.about;
  const [title, todo] = [say(texts, `receipt.${what}`), say(texts, `receipt.${what}_todo`)];
  return reply.type('text/html; charset=utf-8').send(notePage(title, todo, false, { lang, dir }));
}

// The kinds of mail: those that have a subject in the files of texts.
import type { Key } from '../../../texts/index.ts';

/** A kind of mail. */
export type MailKind = KindOf<Key>;
type KindOf<K> = K extends `mail.${infer Kind}_subject` ? Kind : never;

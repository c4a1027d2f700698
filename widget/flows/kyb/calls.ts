// Calls of the business form. Saving returns the saved form.
import type { FlowContext } from '../flow.ts';
import { bodyOf, type Company, type Person } from './draft.ts';
import type { Country, KybForm, Status } from './records.ts';

const FORM = '/pii/v1/entity/form';

/** The data the form starts with. */
export interface Loaded {
  readonly form: KybForm;
  readonly countries: readonly Country[];
}

/** The form as saved. */
export function formOf({ api }: FlowContext): Promise<KybForm> {
  return api.get(FORM);
}

/** Form and countries. */
export async function load(context: FlowContext): Promise<Loaded> {
  const countries = context.api.get<readonly Country[]>('/pii/v2/kyc/countries');
  return { form: await formOf(context), countries: await countries };
}

/** Saves the whole form. */
export async function save(
  context: FlowContext,
  company: Company,
  people: readonly Person[],
): Promise<KybForm> {
  await context.api.put(FORM, bodyOf(company, people));
  return formOf(context);
}

/** Adds a document; the same press sent again adds it once. */
export async function addDocument(
  context: FlowContext,
  file: File,
  key: string,
): Promise<KybForm> {
  const body = { pii_document_name: file.name.slice(0, 255), file: await dataUri(file) };
  await context.api.post(`${FORM}/documents`, body, { key });
  return formOf(context);
}

/** Removes a document. */
export async function removeDocument(context: FlowContext, id: string): Promise<KybForm> {
  await context.api.delete(`${FORM}/documents/${id}`);
  return formOf(context);
}

/** Submits the business for checking. */
export async function submit(context: FlowContext): Promise<KybForm> {
  await context.api.post<{ status: Status }>(`${FORM}/submit`, {});
  return formOf(context);
}

/** A fresh one-time link for a person behind the business. */
export async function linkOf({ api }: FlowContext, agent: string): Promise<string> {
  type Made = { redirect: string };
  return (await api.post<Made>(`/pii/v1/entity/agents/${agent}/link`, {})).redirect;
}

function dataUri(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

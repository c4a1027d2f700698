// The compiler as a judge of single changes: a change whose file no longer has its types is no
// mutant. Holds the whole project in memory, so that one change costs milliseconds.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { API, type Diagnostic, type Program, type Snapshot } from 'typescript/unstable/sync';
import { mutantsOf, type Mutant } from './mutator.ts';
import { changed, type Edit } from './scratch.ts';

const ROOT = dirname(dirname(import.meta.dirname));
/** What is unused or never reached is untidy, and runs all the same. */
const UNTIDY = new Set([6133, 6192, 6196, 6198, 6199, 7027]);

export class Types {
  readonly #planted = new Map<string, string>();
  readonly #api: API;
  #snapshot: Snapshot | null = null;
  #program: Program;

  constructor() {
    this.#api = new API({ cwd: ROOT, fs: { readFile: (path) => this.#planted.get(path) } });
    const project = join(ROOT, 'tsconfig.json');
    this.#program = this.#take({ openProjects: [project] });
  }

  /** All changes that could be made to a file. */
  mutantsOf(file: string): Mutant[] {
    const source = this.#program.getSourceFile(join(ROOT, file));
    assert.ok(source, `${file} belongs to the project`);
    return mutantsOf(file, source);
  }

  /** True where the file itself compiles with the change. */
  fits(edit: Edit): boolean {
    return this.#with(edit, (path) => this.#program.getSemanticDiagnostics(path));
  }

  /** True where every file that imports it compiles as well; takes seconds. */
  fitsAll(edit: Edit): boolean {
    const importers = this.#importersOf(edit.file);
    return this.#with(edit, () =>
      importers.flatMap((path) => [...this.#program.getSemanticDiagnostics(path)]),
    );
  }

  close(): void {
    this.#api.close();
  }

  #with(edit: Edit, ask: (path: string) => readonly Diagnostic[]): boolean {
    const path = join(ROOT, edit.file);
    // The change before is taken back with the same step: each step costs what a check costs.
    const before = [...this.#planted.keys()];
    this.#planted.clear();
    this.#planted.set(path, changed(readFileSync(path, 'utf8'), edit));
    this.#program = this.#take({ fileChanges: { changed: [...before, path] } });
    if (this.#program.getSyntacticDiagnostics(path).length > 0) return false;
    return !ask(path).some(({ code }) => !UNTIDY.has(code));
  }

  /** Those of the project that may name the file: by its name, or by that of its folder. */
  #importersOf(file: string): string[] {
    const named = [`/${basename(file)}'`, `/${basename(dirname(file))}/index.ts'`];
    return this.#program.getSourceFileNames().filter((path) => {
      if (!path.startsWith(ROOT) || path.includes('/node_modules/')) return false;
      const text = readFileSync(path, 'utf8');
      return named.some((name) => text.includes(name));
    });
  }

  #take(what: Parameters<API['updateSnapshot']>[0]): Program {
    const before = this.#snapshot;
    this.#snapshot = this.#api.updateSnapshot(what);
    // Each holds the project once more: hundreds fill the memory of a machine.
    before?.dispose();
    const [project] = this.#snapshot.getProjects();
    assert.ok(project);
    return project.program;
  }
}

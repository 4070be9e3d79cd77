import { number } from "../../../../browser/client/Format.ts"
import { spoken } from "../../../../browser/client/Language.ts"

/** The words of the views about imports. */
export const importWords = spoken(
  {
    back: "New import",
    completed: "Completed",
    created: (count: number) => count === 1 ? "1 new student" : `${number(count)} new students`,
    existing: (count: number) => count === 1 ? "1 already known" : `${number(count)} already known`,
    failed: (count: number) => count === 1 ? "1 row with an error" : `${number(count)} rows with errors`,
    granted: (count: number) => count === 1 ? "1 access given" : `${number(count)} accesses given`,
    import: "Import students",
    pending: "Waiting",
    rows: (count: number) => count === 1 ? "1 row" : `${number(count)} rows`,
    running: "Running",
    toCreate: (count: number) => count === 1 ? "1 student would be new" : `${number(count)} students would be new`,
    toGrant: (count: number) => count === 1 ? "1 access would be given" : `${number(count)} accesses would be given`,
    trial: "Preview"
  },
  {
    back: "Nova importação",
    completed: "Concluída",
    created: (count: number) => count === 1 ? "1 aluno novo" : `${number(count)} alunos novos`,
    existing: (count: number) => count === 1 ? "1 já cadastrado" : `${number(count)} já cadastrados`,
    failed: (count: number) => count === 1 ? "1 linha com erro" : `${number(count)} linhas com erros`,
    granted: (count: number) => count === 1 ? "1 acesso liberado" : `${number(count)} acessos liberados`,
    import: "Importar alunos",
    pending: "Na fila",
    rows: (count: number) => count === 1 ? "1 linha" : `${number(count)} linhas`,
    running: "Em andamento",
    toCreate: (count: number) => count === 1 ? "1 aluno seria criado" : `${number(count)} alunos seriam criados`,
    toGrant: (count: number) => count === 1 ? "1 acesso seria liberado" : `${number(count)} acessos seriam liberados`,
    trial: "Prévia"
  }
)

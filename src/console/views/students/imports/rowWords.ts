// The fault of a row in Portuguese. The API says it in English. Pure.

const sentences: Readonly<Record<string, string>> = {
  "cohort ambiguous": "Informe o id da turma: há várias com este nome.",
  "cohort passed": "A turma já terminou: informe um fim.",
  "cohort unknown": "A turma precisa ser o id ou o nome de uma turma da entrega.",
  "delivery ambiguous": "Informe o id da entrega: há várias com este nome.",
  "delivery required": "A entrega é obrigatória se a linha tem turma ou fim.",
  "delivery unknown": "A entrega precisa ser o id ou o nome de uma entrega que não está arquivada.",
  "document invalid": "O documento precisa ter de 3 a 32 caracteres.",
  "document scientific_notation":
    "A planilha arredondou o documento, como em 1,23457E+10: formate a coluna como texto e digite-o de novo.",
  "email invalid": "O e-mail precisa ser um endereço válido.",
  "email required": "O e-mail é obrigatório.",
  "expires_at invalid": "O fim precisa ser como 2026-12-31, 31/12/2026 ou data e hora com fuso.",
  "expires_at passed": "O fim precisa estar no futuro, depois do começo da turma.",
  "name invalid": "O nome precisa ter de 1 a 200 caracteres.",
  "name required": "O nome é obrigatório.",
  "row encoding": "A linha usa uma codificação diferente do resto do arquivo: salve o arquivo em UTF-8.",
  "row internal": "Não foi possível importar a linha.",
  "row quotes": "A linha tem aspas no meio de uma célula ou aspas sem fechar: duplique-as ou remova-as.",
  "row removed": "O aluno foi removido antes de a linha ser importada.",
  "row too_many_cells": "A linha tem mais células que o cabeçalho."
}

/** The sentence of a fault. Undefined if only the API has one. */
export const rowSentence = (field: string, code: string): string | undefined => sentences[`${field} ${code}`]

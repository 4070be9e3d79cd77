import { counted, number } from "../../../client/Format.ts"
import { spoken } from "../../../client/Language.ts"

/** What is said before what was not delivered is sent again. */
export const recoveryWords = spoken(
  {
    atLeast: (count: string) => `${count} or more`,
    broken: "It did not come to its end: part of it may be under way already. Below is what is left.",
    cancel: "Close",
    capped: "Only the oldest 100,000 were counted: what was created after those is sent again too.",
    disabled: (count: number) =>
      counted(count, "1 was canceled while it was disabled", `${number(count)} were canceled while it was disabled`),
    failed: (count: number) => counted(count, "1 was given up", `${number(count)} were given up`),
    from: (first: string, last: string) => `Created between ${first} and ${last}.`,
    left: (count: number) =>
      counted(
        count,
        "1 other stays as it is: its student was removed, it waited for 30 days, or its payload is erased.",
        `${
          number(count)
        } others stay as they are: their student was removed, they waited for 30 days, or their payload is erased.`
      ),
    none: "Nothing since then has to be sent again.",
    recover: (count: string) => `Send ${count} again`,
    since: "Of how long",
    sinces: { "1": "Last hour", "24": "24 hours", "168": "7 days", "720": "30 days" },
    text: "Each gets exactly one attempt more, with the id that it had: a receiver that has seen it may ignore it.",
    title: "Recover what was not delivered"
  },
  {
    atLeast: (count: string) => `${count} ou mais`,
    broken: "Não chegou ao fim: parte pode já estar a caminho. Abaixo está o que falta.",
    cancel: "Fechar",
    capped: "Só os 100.000 mais antigos foram contados: o que foi criado depois deles também é reenviado.",
    disabled: (count: number) =>
      counted(
        count,
        "1 foi cancelado enquanto o endpoint estava desativado",
        `${number(count)} foram cancelados enquanto o endpoint estava desativado`
      ),
    failed: (count: number) => counted(count, "1 foi abandonado", `${number(count)} foram abandonados`),
    from: (first: string, last: string) => `Criados entre ${first} e ${last}.`,
    left: (count: number) =>
      counted(
        count,
        "1 outro fica como está: o aluno foi removido, esperou 30 dias, ou o conteúdo foi apagado.",
        `${number(count)} outros ficam como estão: o aluno foi removido, esperaram 30 dias, ou o conteúdo foi apagado.`
      ),
    none: "Desde então nada precisa ser reenviado.",
    recover: (count: string) => `Reenviar ${count}`,
    since: "De quanto tempo",
    sinces: { "1": "Última hora", "24": "24 horas", "168": "7 dias", "720": "30 dias" },
    text: "Cada um recebe exatamente mais uma tentativa, com o mesmo id: um receptor que já o viu pode ignorá-lo.",
    title: "Recuperar o que não foi entregue"
  }
)

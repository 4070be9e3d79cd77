import { asked } from "./Taught.ts"

/** About the guitar, in Portuguese, as students type: with and without accents. */
export const guitarQuestions = asked([
  ["Como devo sentar para tocar violão?", "postura", "ponta de uma cadeira"],
  ["Onde fica o polegar da mão esquerda?", "postura", "atrás do braço"],
  ["É normal sentir dor na ponta dos dedos?", "postura", "é normal nas primeiras semanas"],
  ["o que fazer com dor no pulso?", "postura", "sinal de tensão"],
  ["Qual é a afinação padrão do violão?", "afinacao", "mi, lá, ré, sol, si, mi"],
  ["como afinar sem afinador?", "afinacao", "método da quinta casa"],
  ["Por que a temperatura desafina o instrumento?", "afinacao", "umidade desafinam"],
  ["Quais notas formam um acorde maior?", "acordes", "tônica, a terça maior"],
  ["por que o acorde menor tem som triste?", "acordes", "a terça desce meio tom"],
  ["Com quais acordes devo começar?", "acordes", "Comece por lá maior"],
  ["como trocar de acorde sem fazer pausa", "acordes", "dedo-guia"],
  ["Qual é a batida básica de pop?", "ritmo", "baixo, baixo, cima"],
  ["quantos tempos tem o compasso quatro por quatro?", "ritmo", "tem quatro tempos"],
  ["Com quantas batidas por minuto começo no metronomo?", "ritmo", "sessenta batidas por minuto"],
  ["No samba o acento cai em que tempo?", "ritmo", "segundo tempo"],
  ["O que a letra m minúscula indica na cifra?", "cifra", "indica acorde menor"],
  ["o que significa o sustenido?", "cifra", "aumenta a nota em meio tom"],
  ["Quantas linhas tem a tablatura?", "cifra", "seis linhas"],
  ["A tablatura mostra a duração das notas?", "cifra", "não mostra a duração"],
  ["De quanto em quanto tempo troco o encordoamento?", "cordas", "a cada três meses"],
  ["Posso colocar cordas de aço em um violão de nailon?", "cordas", "Nunca ponha cordas de aço"],
  ["Como limpar o suor das cordas?", "cordas", "passe uma flanela"],
  ["quanto tempo as cordas novas levam para estabilizar?", "cordas", "dois a três dias"],
  ["Qual dedo toca a terceira corda no dedilhado?", "dedilhado", "O indicador toca a terceira"],
  ["O que querem dizer as letras p, i, m, a?", "dedilhado", "vêm de polegar"],
  ["as unhas devem ser compridas ou curtas?", "dedilhado", "Unhas um pouco compridas"],
  ["De onde vem a força da pestana?", "pestana", "A força vem do peso do braço"],
  ["Quantas notas tem a escala pentatonica?", "pestana", "tem cinco notas"]
])

/** Off the topic, in Portuguese. Many share words with the course. */
export const offGuitar = asked([
  ["Qual é a capital da França?"],
  ["Como faço um bolo de chocolate?"],
  ["Quanto custa um violão novo na loja?"],
  ["Quem ganhou a copa do mundo de 2002?"],
  ["Como cancelo a minha assinatura do curso?"],
  ["Qual a senha da rede sem fio da escola?"],
  ["Como trocar a corda do varal?"],
  ["Qual é a temperatura ideal para assar pão?"],
  ["quantas horas de sono um adulto precisa por noite?"],
  ["Como tocar piano com as duas mãos?"],
  ["Qual microfone comprar para gravar a voz?"],
  ["Quando começa a próxima turma?"],
  ["Como emitir o certificado de conclusão?"],
  ["Quem inventou o violão elétrico?"],
  ["Como pintar a unha com esmalte escuro?"],
  ["Qual o melhor remédio para dor de cabeça?"],
  ["Como se diz corda em alemão?"],
  ["Quais são as casas legislativas do Brasil?"],
  ["como plantar tomate em casa no inverno?"],
  ["A prova final vale quantos pontos?"]
])

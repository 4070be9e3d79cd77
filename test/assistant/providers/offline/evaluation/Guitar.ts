import type { TaughtLesson } from "./Taught.ts"

/** A course about the guitar, in Portuguese. Its lessons share much of their vocabulary. */
export const guitar: ReadonlyArray<TaughtLesson> = [
  {
    key: "postura",
    title: "Postura e posição das mãos",
    kind: "text",
    body:
      `Antes de tocar a primeira nota, vale a pena cuidar da postura. Sente-se na ponta de uma cadeira sem braços, com os dois pés apoiados no chão e as costas retas. O violão descansa sobre a perna direita, com o corpo do instrumento levemente inclinado para trás.

O polegar da mão esquerda fica atrás do braço do violão, na altura do segundo dedo. Os outros dedos devem cair sobre as cordas com as pontas, como se fossem pequenos martelos. Se o pulso dobra demais, a mão se cansa depressa e os acordes soam abafados.

Dor nas pontas dos dedos é normal nas primeiras semanas e desaparece quando a pele engrossa. Dor no pulso ou no ombro, ao contrário, é sinal de tensão: pare, solte os braços e recomece mais devagar. Um apoio para o pé de quinze centímetros ajuda quem sente desconforto na lombar.`
  },
  {
    key: "afinacao",
    title: "Afinação",
    kind: "text",
    body:
      `A afinação padrão do violão, da corda mais grossa para a mais fina, é mi, lá, ré, sol, si, mi. Gire a tarraxa aos poucos e sempre suba até a nota desejada, pois uma corda afrouxada até a nota desafina logo em seguida.

Um afinador eletrônico de clipe, preso na cabeça do instrumento, sente a vibração da madeira e funciona mesmo em salas barulhentas. Sem afinador, use o método da quinta casa: a sexta corda presa na quinta casa soa igual à quinta corda solta. A exceção está entre a terceira e a segunda corda, onde se prende a quarta casa.

Mudanças de temperatura e de umidade desafinam o instrumento. Por isso, confira a afinação toda vez que pegar o violão, e nunca o deixe dentro de um carro ao sol.`
  },
  {
    key: "acordes",
    title: "Os primeiros acordes",
    kind: "text",
    body:
      `Um acorde maior é formado por três notas: a tônica, a terça maior e a quinta justa. No acorde menor, a terça desce meio tom, e é isso que lhe dá o som mais triste.

Comece por lá maior, ré maior e mi maior, porque com esses três acordes já se tocam dezenas de canções. Monte o acorde, toque corda por corda e confira se alguma nota está abafada. Se estiver, aproxime o dedo do traste, sem ficar em cima dele.

Para trocar de acorde sem pausa, procure o dedo-guia: aquele que permanece na mesma corda nas duas posições. Treine a troca em silêncio, só com a mão esquerda, durante cinco minutos por dia. A velocidade vem depois da limpeza do som.`
  },
  {
    key: "ritmo",
    title: "Ritmo e batida",
    kind: "transcript",
    body:
      `Oi, gente, hoje a gente vai trabalhar a mão direita. O compasso quatro por quatro tem quatro tempos, e o primeiro deles é o mais forte. Bata o pé no chão em cada tempo e não pare de bater, mesmo se errar a mão.

A batida básica de pop é baixo, baixo, cima, cima, baixo, cima. O movimento do antebraço é contínuo: a mão sobe e desce o tempo inteiro, e às vezes passa sem encostar nas cordas. Quem trava o pulso perde o andamento.

O metrônomo é o melhor amigo do músico. Comece a sessenta batidas por minuto e só aumente cinco batidas quando conseguir tocar dois minutos sem erro. No samba, o acento cai no segundo tempo, e o polegar marca o surdo nas cordas graves.`
  },
  {
    key: "cifra",
    title: "Leitura de cifras e tablaturas",
    kind: "text",
    body:
      `Na cifra, cada letra representa um acorde: A é lá, B é si, C é dó, D é ré, E é mi, F é fá e G é sol. A letra m minúscula depois da maiúscula indica acorde menor, e o número sete indica a sétima.

A barra, como em D/F#, manda tocar o acorde de ré com fá sustenido no baixo. O sustenido aumenta a nota em meio tom e o bemol diminui em meio tom.

A tablatura é outra coisa: ela tem seis linhas, uma para cada corda, e os números dizem em que casa apertar. A linha de cima da tablatura é a corda mais fina. A tablatura não mostra a duração das notas, por isso convém ouvir a gravação ao mesmo tempo.`
  },
  {
    key: "cordas",
    title: "Troca e cuidado das cordas",
    kind: "document",
    body:
      `Troque o encordoamento a cada três meses, ou antes, se as cordas estiverem escuras e ásperas. Cordas de náilon são mais macias e indicadas para o violão clássico; as de aço têm mais brilho e volume, mas exigem um instrumento com tensor. Nunca ponha cordas de aço em um violão feito para náilon, porque a tensão pode arrancar o cavalete.

Retire as cordas velhas uma por uma e aproveite para limpar a escala com um pano seco. Depois de tocar, passe uma flanela nas cordas para remover o suor, que oxida o metal. Cordas novas levam de dois a três dias para estabilizar e desafinam muito nesse período.`
  },
  {
    key: "dedilhado",
    title: "Dedilhado",
    kind: "text",
    body:
      `No dedilhado, cada dedo da mão direita tem a sua corda. O polegar cuida dos bordões, que são a sexta, a quinta e a quarta corda. O indicador toca a terceira, o médio toca a segunda e o anelar toca a primeira; o mindinho não é usado.

As letras p, i, m e a vêm de polegar, indicador, médio e anelar. O arpejo mais simples é p, i, m, a, repetido em cada acorde. Unhas um pouco compridas na mão direita deixam o som mais claro, mas na mão esquerda devem ser bem curtas.

Estude o arpejo primeiro com as cordas soltas e sem olhar para a mão. Quando os dedos se confundem, diga as letras em voz alta.`
  },
  {
    key: "pestana",
    title: "Pestana e escalas",
    kind: "text",
    body:
      `A pestana é feita com o dedo indicador deitado sobre todas as cordas, funcionando como um traste móvel. Gire o indicador um pouco para o lado, de modo que a parte óssea pressione as cordas. A força vem do peso do braço, e não do polegar apertando por trás.

O fá maior é o primeiro acorde com pestana que quase todo mundo enfrenta, e pode levar meses até soar limpo. Enquanto isso, use o fá simplificado, com apenas quatro cordas.

A escala pentatônica tem cinco notas e serve de base para os solos de blues e de rock. Ela evita os semitons, por isso quase nenhuma nota soa errada. Pratique a escala subindo e descendo, uma nota por clique do metrônomo.`
  }
]

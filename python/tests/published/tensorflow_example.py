import tensorflow as tf
import os
from kubernetesdlprofile import kubeprofiler
mnist = tf.keras.datasets.mnist
(x_train, y_train), (x_test, y_test) = mnist.load_data()
x_train, x_test = x_train / 255.0, x_test / 255.0
#uses TF_CONFIG to initialize distributed
mirrored_strategy = tf.distribute.MirroredStrategy()
with  mirrored_strategy.scope():
   model = tf.keras.models.Sequential([
     tf.keras.layers.Flatten(input_shape=(28, 28)),
     tf.keras.layers.Dense(128, activation='relu'),
     tf.keras.layers.Dropout(0.2),
     tf.keras.layers.Dense(10)
   ])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
prof = kubeprofiler.KubeProfiler()
checkpoint_filepath = os.path.join(prof.root_dir, "tf_ckpts")
print("chekpoint dir: ", checkpoint_filepath)
model_checkpoint_callback = tf.keras.callbacks.ModelCheckpoint(
   filepath=checkpoint_filepath,
   save_weights_only=True,
   monitor='accuracy',
   mode='max',
   save_best_only=True)
class KubeProfilerCallback(tf.keras.callbacks.Callback):
   def __init__(self, prof):
      super(KubeProfilerCallback, self).__init__()
      self.prof = prof
   def on_epoch_begin(self, epoch, logs=None):
      self.prof.start_epoch()
   def on_epoch_end(self, epoch, logs=None):
      self.prof.end_epoch()
   def on_train_batch_end(self, batch, logs=None):
      self.prof.measure()
kube_callback = KubeProfilerCallback(prof)
model.compile(optimizer='adam',
   loss=loss_fn,
   metrics=['accuracy'])
batch_size = prof.BATCH_SIZE
epochs = prof.EPOCHS
RESTARTED = prof.RESTARTED
initial_epoch = 0
if RESTARTED:
   model.load_weights(checkpoint_filepath)
   initial_epoch = prof.EPOCHS_DONE
model.fit(x_train, y_train, batch_size=batch_size, epochs=epochs, initial_epoch=initial_epoch, callbacks=[model_checkpoint_callback, kube_callback])
model.evaluate(x_test, y_test, verbose=2)
